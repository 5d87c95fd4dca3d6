import { Prisma } from "../../../../prisma/gen/client.ts";
import type { HistoryPage } from "../../../resources/index.ts";
import type { Database } from "../../connection/database.ts";
import { SEALED_VALUES } from "../../sealing/sealed-rows.ts";
import { withinPageBytes } from "../../sealing/stored-bytes.ts";
import { orderOfVersions, type VersionSpan, versionsOnPage } from "../../versions/version-span.ts";
import type { PatientVersionRow } from "./stored-patient.ts";

/** Versions of one patient, at most one more than the page holds, in number or in bytes: then there is a next page. */
export async function selectHistory(
  database: Database,
  id: bigint,
  span: VersionSpan,
  page: HistoryPage,
): Promise<PatientVersionRow[]> {
  const versions = Prisma.sql`
    SELECT p.id, p.version, p.updated_at AS "updatedAt", p.root_id AS "rootId", p.document,
      p.author_key_id AS "authorKeyId", p.author, held.sealed
    FROM patient_history p,
      (SELECT ${SEALED_VALUES} AS sealed FROM identifier_value v WHERE v.patient_id = ${id} AND v.owner = ${id}) held
    WHERE p.id = ${id} ${versionsOnPage(span, page)}`;
  return await database.$queryRaw<PatientVersionRow[]>(withinPageBytes(versions, orderOfVersions(page)));
}

/** Which versions a patient has since an instant. */
export async function selectVersionSpan(
  database: Database,
  id: bigint,
  since: Date | undefined,
): Promise<VersionSpan> {
  const [last] = await database.$queryRaw<{ version: number }[]>`
    SELECT version FROM patient_history WHERE id = ${id} ORDER BY version DESC LIMIT 1`;
  if (!last || !since) return { before: 0, last: last?.version ?? 0 };
  const [before] = await database.$queryRaw<{ version: number }[]>`
    SELECT version FROM patient_history WHERE id = ${id} AND updated_at < ${since}
    ORDER BY updated_at DESC, version DESC LIMIT 1`;
  return { before: before?.version ?? 0, last: last.version };
}
