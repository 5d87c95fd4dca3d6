import { MpiError, ofPatient } from "../../errors/index.ts";
import { blind, type IndexKey, type IndexKeys, openingKeys, unseal } from "../../identifier-index/index.ts";
import { parseIdentifierSystem } from "../../identifiers/index.ts";
import { inconsistent } from "../../index-maintenance/inconsistent.ts";
import type { BlindRow } from "../../index-maintenance/ports.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { openAuthor } from "../sealing/authors.ts";
import type { ValueRow } from "../sealing/sealed-document.ts";
import type { HeldRows } from "./held-rows.ts";

/** What is wrong, by the patient with whom it is. */
export type Findings = { readonly patientId: bigint; readonly problem: MpiError }[];

/** A finding whose problem names the patient. */
function finding(patientId: bigint, problem: MpiError): Findings[number] {
  return { patientId, problem: ofPatient(patientId, problem) };
}

/** The keys, and the one under which the blind index has to be complete. */
export interface CheckKeys {
  readonly keys: IndexKeys;
  readonly complete: IndexKey;
}

/** What is wrong with the rows of patients: those that do not open, those that are not there, those of others. */
export async function findingsOf(
  database: Database | Transaction,
  { keys, complete }: CheckKeys,
  held: HeldRows,
): Promise<Findings> {
  const { values, findings } = openValues(keys, held.values);
  for (const row of held.authors) {
    const problem = unreadable(() => openAuthor(keys, row.patientId, row));
    if (problem) findings.push(finding(row.patientId, problem));
  }
  const wanted: BlindRow[] = [];
  for (const place of held.places) {
    const value = values.get(placeKey(place));
    if (value === undefined) findings.push(finding(place.patientId, absent()));
    const system = place.indexed === undefined ? undefined : parseIdentifierSystem(place.indexed);
    if (typeof value !== "string" || !system) continue;
    wanted.push({ ...system, valueHmac: blind(complete, value), patientId: place.patientId });
  }
  for (const { patientId } of await selectMissing(database, wanted)) {
    findings.push(finding(patientId, inconsistent()));
  }
  return findings;
}

/** The values by their places; false stands for one that does not open. */
function openValues(
  keys: IndexKeys,
  rows: readonly ValueRow[],
): { readonly values: ReadonlyMap<string, string | false>; readonly findings: Findings } {
  const values = new Map<string, string | false>();
  const findings: Findings = [];
  for (const row of rows) {
    const value = openedValue(keys, row);
    values.set(placeKey(row), typeof value === "string" && value);
    if (typeof value !== "string") findings.push(finding(row.patientId, value));
  }
  return { values, findings };
}

function absent(): MpiError {
  return inconsistent(new MpiError("INDEX_DECRYPTION_FAILED"));
}

function placeKey({ patientId, owner, n }: Pick<ValueRow, "patientId" | "owner" | "n">): string {
  return `${patientId} ${owner} ${n}`;
}

/** The value of a row, or what is wrong with it. */
function openedValue(keys: IndexKeys, row: ValueRow): string | MpiError {
  try {
    const value = unseal(keys, row, row);
    const key = openingKeys(keys).find(({ keyId }) => keyId === row.keyId);
    return key && isSame(blind(key, value), row.valueHmac) ? value : inconsistent();
  } catch (cause) {
    if (!(cause instanceof MpiError)) throw cause;
    return inconsistent(cause);
  }
}

/** What is wrong when something does not open. */
function unreadable(open: () => unknown): MpiError | undefined {
  try {
    open();
    return undefined;
  } catch (cause) {
    if (!(cause instanceof MpiError)) throw cause;
    return inconsistent(cause);
  }
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

/** Those that the blind index does not have, or has for another patient. */
async function selectMissing(
  database: Database | Transaction,
  wanted: readonly BlindRow[],
): Promise<{ readonly patientId: bigint }[]> {
  if (wanted.length === 0) return [];
  return await database.$queryRaw<{ patientId: bigint }[]>`
    SELECT wanted.patient_id AS "patientId"
    FROM unnest(${wanted.map((row) => row.valueHmac)}::bytea[], ${wanted.map((row) => row.country)}::text[],
        ${wanted.map((row) => row.type)}::text[], ${wanted.map((row) => row.patientId)}::bigint[])
        AS wanted (value_hmac, country, type, patient_id)
      LEFT JOIN identifier held ON held.value_hmac = wanted.value_hmac AND held.country = wanted.country
        AND held.type = wanted.type
    WHERE held.patient_id IS DISTINCT FROM wanted.patient_id`;
}
