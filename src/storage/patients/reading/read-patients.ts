import { Prisma } from "../../../../prisma/gen/client.ts";
import type { Database, Transaction } from "../../connection/database.ts";
import { SEALED_VALUES } from "../../sealing/sealed-rows.ts";
import { withinPageBytes } from "../../sealing/stored-bytes.ts";
import type { PatientRow, PatientVersionRow } from "./stored-patient.ts";

/** The current version of a patient with its sealed values, in one round trip. */
export async function selectPatient(
  database: Database | Transaction,
  id: bigint,
): Promise<PatientRow | undefined> {
  const [row] = await database.$queryRaw<PatientRow[]>`
    SELECT p.id, p.version, p.updated_at AS "updatedAt", p.root_id AS "rootId", p.document, held.sealed
    FROM patient p,
      (SELECT ${SEALED_VALUES} AS sealed FROM identifier_value v WHERE v.patient_id = ${id} AND v.owner = ${id}) held
    WHERE p.id = ${id}`;
  return row;
}

/** Several patients with their sealed values, in the order of the ids; those that are not there are left out. */
export async function selectPatients(
  database: Database | Transaction,
  ids: readonly bigint[],
): Promise<PatientRow[]> {
  if (ids.length === 0) return [];
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) {
    const row = await selectPatient(database, only);
    return row ? [row] : [];
  }
  const rows = await database.$queryRaw<PatientRow[]>(patientsById(Prisma.sql`${[...ids]}`));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The same, as far as they fit on a page, and the next one; where there is a condition, those whose rows `p` meet it. */
export async function selectPatientsOnPage(
  database: Database,
  ids: readonly bigint[],
  condition?: Prisma.Sql,
): Promise<PatientRow[]> {
  if (ids.length === 0 || (ids.length === 1 && !condition)) return await selectPatients(database, ids);
  const byId = patientsById(Prisma.sql`${[...ids]}`);
  const inOrder = Prisma.sql`
    SELECT row.*, wanted.place FROM unnest(${[...ids]}::bigint[]) WITH ORDINALITY AS wanted (id, place)
    JOIN (${condition ? Prisma.sql`${byId} AND ${condition}` : byId}) AS row ON row.id = wanted.id`;
  return await database.$queryRaw<PatientRow[]>(withinPageBytes(inOrder, Prisma.sql`place`));
}

/** A query for several patients with their sealed values, in no order: rows of PatientRow. `ids` is an array in SQL. */
export function patientsById(ids: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT p.id, p.version, p.updated_at AS "updatedAt", p.root_id AS "rootId", p.document, held.sealed
    FROM patient p CROSS JOIN LATERAL
      (SELECT ${SEALED_VALUES} AS sealed FROM identifier_value v WHERE v.patient_id = p.id AND v.owner = p.id) held
    WHERE p.id = ANY(${ids})`;
}

/** One version of a patient, as it was stored. */
export async function selectVersion(
  database: Database,
  id: bigint,
  version: number,
): Promise<PatientRow | undefined> {
  const [row] = await database.$queryRaw<PatientRow[]>`
    SELECT p.id, p.version, p.updated_at AS "updatedAt", p.root_id AS "rootId", p.document, held.sealed
    FROM patient_history p,
      (SELECT ${SEALED_VALUES} AS sealed FROM identifier_value v WHERE v.patient_id = ${id} AND v.owner = ${id}) held
    WHERE p.id = ${id} AND p.version = ${version}`;
  return row;
}

/** Versions of several patients, in the order given, as far as they fit on a page, and the next one. */
export async function selectVersions(
  database: Database,
  versions: readonly { patientId: bigint; version: number }[],
): Promise<PatientVersionRow[]> {
  if (versions.length === 0) return [];
  const wanted = Prisma.sql`
    SELECT p.id, p.version, p.updated_at AS "updatedAt", p.root_id AS "rootId", p.document,
      p.author_key_id AS "authorKeyId", p.author,
      ${SEALED_VALUES} AS sealed, wanted.place
    FROM unnest(${versions.map((one) => one.patientId)}::bigint[], ${versions.map((one) => one.version)}::int[])
      WITH ORDINALITY AS wanted (id, version, place)
    JOIN patient_history p ON p.id = wanted.id AND p.version = wanted.version
    LEFT JOIN identifier_value v ON v.patient_id = p.id AND v.owner = p.id
    GROUP BY p.id, p.version, wanted.place`;
  return await database.$queryRaw<PatientVersionRow[]>(withinPageBytes(wanted, Prisma.sql`place`));
}
