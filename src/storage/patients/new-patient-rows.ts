import type pg from "pg";
import { CHANGE, type ResourceType } from "../changes/outbox.ts";
import type { BlockKeyRow } from "../matching/block-keys.ts";
import type { SealedRow } from "../sealed-document.ts";
import type { IdentifierRow } from "./identifier-rows.ts";
import type { SearchColumns } from "./search-columns.ts";

/** What the tables take of a new patient. */
export interface NewPatient {
  readonly id: bigint;
  readonly document: Uint8Array<ArrayBuffer>;
  readonly columns: SearchColumns;
  readonly identifiers: readonly IdentifierRow[];
  readonly values: readonly SealedRow[];
  /** What it is found by in matching. */
  readonly blockKeys: readonly bigint[];
}

/** A column of an unnest: its name, its type, and what of a row stands in it. */
type Column<Row> = readonly [name: string, type: string, contentOf: (row: Row) => unknown];

const PATIENT_TYPE: ResourceType = "Patient";

type OwnedIdentifier = IdentifierRow & { readonly id: bigint };

const IDENTIFIER: readonly Column<OwnedIdentifier>[] = [
  ["value_hmac", "bytea", (row) => bytes(row.valueHmac)],
  ["country", "text", (row) => row.country],
  ["type", "text", (row) => row.type],
  ["key_id", "text", (row) => row.keyId],
  ["patient_id", "bigint", (row) => row.id],
  ["period_end", "timestamp", (row) => instant(row.periodEnd)],
];

const PATIENT: readonly Column<NewPatient>[] = [
  ["id", "bigint", (row) => row.id],
  ["active", "boolean", (row) => row.columns.active],
  ["birth_from", "date", (row) => row.columns.birthFrom],
  ["birth_to", "date", (row) => row.columns.birthTo],
  ["deceased", "boolean", (row) => row.columns.deceased],
  ["deceased_at", "timestamp", (row) => instant(row.columns.deceasedAt)],
  ["document", "bytea", (row) => bytes(row.document)],
];

const VALUE: readonly Column<SealedRow>[] = [
  ["patient_id", "bigint", (row) => row.patientId],
  ["n", "int", (row) => row.n],
  ["owner", "bigint", (row) => row.owner],
  ["country", "text", (row) => row.country],
  ["type", "text", (row) => row.type],
  ["key_id", "text", (row) => row.keyId],
  ["value_hmac", "bytea", (row) => bytes(row.valueHmac)],
  ["ciphertext", "bytea", (row) => bytes(row.ciphertext)],
  ["period_end", "timestamp", (row) => instant(row.periodEnd)],
];

const BLOCK_KEY: readonly Column<BlockKeyRow>[] = [
  ["key", "bigint", (row) => row.key],
  ["patient_id", "bigint", (row) => row.patientId],
];

/** Which of the rows are in the blind index already, under whatever patient. */
export async function selectTaken(
  pool: pg.Pool,
  rows: readonly IdentifierRow[],
): Promise<ReadonlySet<IdentifierRow>> {
  const found = await pool.query<{ place: string }>(
    `SELECT place FROM unnest($1::bytea[], $2::text[], $3::text[]) WITH ORDINALITY
       AS wanted (value_hmac, country, type, place)
     JOIN identifier USING (value_hmac, country, type)`,
    [rows.map((row) => bytes(row.valueHmac)), rows.map((row) => row.country), rows.map((row) => row.type)],
  );
  return new Set(found.rows.flatMap(({ place }) => rows[Number(place) - 1] ?? []));
}

/** Writes what `create` writes, for many patients; identifiers first and by hash, so that two writers meet in the same order. */
export async function insertNewPatients(
  client: pg.ClientBase,
  patients: readonly NewPatient[],
  now: Date,
): Promise<void> {
  const identifiers = patients.flatMap(({ id, identifiers }) => identifiers.map((row) => ({ ...row, id })));
  await client.query(
    `INSERT INTO identifier (${names(IDENTIFIER)})
     SELECT * FROM ${unnest(IDENTIFIER, 1)} ORDER BY value_hmac, country, type`,
    arrays(IDENTIFIER, identifiers),
  );
  await client.query(
    `INSERT INTO patient (version, updated_at, last_event, ${names(PATIENT)})
     SELECT 1, $1::timestamp, 1, * FROM ${unnest(PATIENT, 2)}`,
    [instant(now), ...arrays(PATIENT, patients)],
  );
  await client.query(
    `INSERT INTO identifier_value (${names(VALUE)}) SELECT * FROM ${unnest(VALUE, 1)}`,
    arrays(
      VALUE,
      patients.flatMap(({ values }) => values),
    ),
  );
  await client.query(
    `INSERT INTO block_key (${names(BLOCK_KEY)}) SELECT * FROM ${unnest(BLOCK_KEY, 1)} ON CONFLICT DO NOTHING`,
    arrays(
      BLOCK_KEY,
      patients.flatMap(({ id, blockKeys }) => blockKeys.map((key) => ({ key, patientId: id }))),
    ),
  );
  await copyFirstVersions(client, patients);
}

async function copyFirstVersions(client: pg.ClientBase, patients: readonly NewPatient[]): Promise<void> {
  const ids = patients.map(({ id }) => id);
  await client.query(
    `INSERT INTO patient_history (id, version, updated_at, document)
     SELECT id, version, updated_at, document FROM patient WHERE id = ANY($1::bigint[])`,
    [ids],
  );
  await client.query(
    `INSERT INTO outbox (patient_id, n, kind, resource_type, dependent, version, at)
     SELECT id, last_event, $2, $3, 0, version, updated_at FROM patient WHERE id = ANY($1::bigint[])`,
    [ids, CHANGE, PATIENT_TYPE],
  );
}

function names(columns: readonly Column<never>[]): string {
  return columns.map(([name]) => name).join(", ");
}

function unnest(columns: readonly Column<never>[], firstParameter: number): string {
  const parameters = columns.map(([, type], place) => `$${firstParameter + place}::${type}[]`);
  return `unnest(${parameters.join(", ")}) AS given (${names(columns)})`;
}

function arrays<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): unknown[][] {
  return columns.map(([, , contentOf]) => rows.map(contentOf));
}

/** The driver knows bytes as Buffer alone. */
function bytes(value: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** The driver would write a Date in the zone of this process. */
function instant(value: Date | null): string | null {
  return value?.toISOString() ?? null;
}
