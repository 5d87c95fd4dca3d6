import { Prisma } from "../../../prisma/gen/client.ts";
import type { HistoryPage } from "../../resources/index.ts";
import type { Database } from "../connection/database.ts";
import { SEALED_VALUES } from "../sealing/sealed-rows.ts";
import type { PatientVersionRow } from "./stored-patient.ts";

/** Versions of one patient, at most one more than the page holds: then there is a next page. */
export async function selectHistory(
  database: Database,
  id: bigint,
  page: HistoryPage,
): Promise<PatientVersionRow[]> {
  const after = page.oldestFirst
    ? Prisma.sql`p.version > ${page.after ?? 0}`
    : Prisma.sql`p.version < ${page.after ?? 2147483647}`;
  const order = page.oldestFirst ? Prisma.sql`p.version` : Prisma.sql`p.version DESC`;
  return await database.$queryRaw<PatientVersionRow[]>`
    SELECT p.id, p.version, p.updated_at AS "updatedAt", p.root_id AS "rootId", p.document,
      p.author_key_id AS "authorKeyId", p.author, held.sealed
    FROM patient_history p,
      (SELECT ${SEALED_VALUES} AS sealed FROM identifier_value v WHERE v.patient_id = ${id} AND v.owner = ${id}) held
    WHERE p.id = ${id} AND ${after} AND p.updated_at >= ${page.since ?? new Date(0)}
    ORDER BY ${order} LIMIT ${page.size + 1}`;
}

/** How many versions a patient has since an instant; versions have no gaps. */
export async function countVersions(
  database: Database,
  id: bigint,
  since: Date | undefined,
): Promise<number> {
  const [row] = await database.$queryRaw<{ total: bigint }[]>`
    SELECT count(*) AS total FROM patient_history WHERE id = ${id} AND updated_at >= ${since ?? new Date(0)}`;
  return Number(row?.total ?? 0);
}
