import type { Database } from "../../connection/database.ts";
import { SEALED_VALUES } from "../../sealing/sealed-rows.ts";
import type { PatientRow } from "../reading/stored-patient.ts";
import { hashesOf, type IndexedIdentifier } from "./select-holders.ts";

/** The patient who holds an identifier, if nobody else does. */
export type SoleHolder = PatientRow | "several";

type HolderRow = PatientRow & { readonly place: number; readonly isShared: boolean };

/** The only holder of each of several identifiers, in one statement; who has no holder is missing from the map. */
export async function selectSoleHolders(
  database: Database,
  identifiers: readonly IndexedIdentifier[],
): Promise<ReadonlyMap<IndexedIdentifier, SoleHolder>> {
  const wanted = hashesOf(identifiers);
  // Each subselect with an aggregate or OFFSET of its own is asked by its index, and no table is joined whole.
  const rows = await database.$queryRaw<HolderRow[]>`
    SELECT wanted.place, held.id <> held.last AS "isShared", p.id, p.version, p."updatedAt", p."rootId", p.document, values.sealed
    FROM unnest(${wanted.map(({ hash }) => hash)}::bytea[], ${wanted.map(({ country }) => country ?? "")}::text[],
      ${wanted.map(({ type }) => type ?? "")}::text[], ${wanted.map(({ place }) => place)}::int[])
      AS wanted (hash, country, type, place)
    CROSS JOIN LATERAL (SELECT min(patient_id) AS id, max(patient_id) AS last FROM identifier i
      WHERE i.value_hmac = wanted.hash AND wanted.country IN ('', i.country) AND wanted.type IN ('', i.type)) AS held
    CROSS JOIN LATERAL (SELECT id, version, updated_at AS "updatedAt", root_id AS "rootId", document FROM patient
      WHERE id = held.id OFFSET 0) AS p
    CROSS JOIN LATERAL (SELECT ${SEALED_VALUES} AS sealed FROM identifier_value v
      WHERE v.patient_id = held.id AND v.owner = held.id) AS values`;
  const found = new Map<IndexedIdentifier, SoleHolder>();
  for (const { place, isShared, ...row } of rows) {
    const identifier = identifiers[place];
    if (!identifier) continue;
    // Under each key in use an identifier has a hash of its own.
    const other = found.get(identifier);
    const isOther = other !== undefined && (other === "several" || other.id !== row.id);
    found.set(identifier, isShared || isOther ? "several" : row);
  }
  return found;
}
