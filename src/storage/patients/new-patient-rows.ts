import type pg from "pg";
import type { AuthorColumns } from "../authors.ts";
import { CHANGE, type ResourceType } from "../changes/outbox.ts";
import type { BlockKeyRow } from "../matching/block-keys.ts";
import { arrays, bytes, type Column, instant, names, unnest } from "../row-arrays.ts";
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
  readonly author: AuthorColumns;
}

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

const AUTHOR: readonly Column<NewPatient>[] = [
  ["id", "bigint", (row) => row.id],
  ["author_key_id", "text", (row) => row.author.authorKeyId],
  ["author", "bytea", (row) => row.author.author && bytes(row.author.author)],
];

/** Which of the rows are in the blind index already, and under which patient. */
export async function selectTaken(
  pool: pg.Pool,
  rows: readonly IdentifierRow[],
): Promise<ReadonlyMap<IdentifierRow, bigint>> {
  const found = await pool.query<{ place: string; holder: string }>(
    `SELECT place, patient_id AS holder FROM unnest($1::bytea[], $2::text[], $3::text[]) WITH ORDINALITY
       AS wanted (value_hmac, country, type, place)
     JOIN identifier USING (value_hmac, country, type)`,
    [rows.map((row) => bytes(row.valueHmac)), rows.map((row) => row.country), rows.map((row) => row.type)],
  );
  return new Map(
    found.rows.flatMap(({ place, holder }) => {
      const row = rows[Number(place) - 1];
      return row ? [[row, BigInt(holder)] as const] : [];
    }),
  );
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
    `INSERT INTO patient_history (id, version, updated_at, document, author_key_id, author)
     SELECT id, version, updated_at, document, author_key_id, author FROM patient JOIN ${unnest(AUTHOR, 1)} USING (id)`,
    arrays(AUTHOR, patients),
  );
  await client.query(
    `INSERT INTO outbox (patient_id, n, kind, resource_type, dependent, version, at)
     SELECT id, last_event, $2, $3, 0, version, updated_at FROM patient WHERE id = ANY($1::bigint[])`,
    [ids, CHANGE, PATIENT_TYPE],
  );
}
