import type { BlockKeyRow } from "../../blocking/block-keys.ts";
import { CHANGE, type ResourceType } from "../../changes/outbox.ts";
import type { Statement } from "../../connection/named-statements.ts";
import { arrays, type Column, names, unnest } from "../../connection/row-arrays.ts";
import type { AuthorColumns } from "../../sealing/authors.ts";
import type { SealedRow } from "../../sealing/sealed-document.ts";
import { timestampTexts } from "../../versions/timestamps.ts";
import type { IdentifierRow } from "./identifier-rows.ts";
import { type SearchColumns, searchColumns } from "./search-columns.ts";

/** Who has which identifiers. */
export interface Identified {
  readonly id: bigint;
  readonly identifiers: readonly IdentifierRow[];
}

/** What the tables take of a new patient, beside its identifiers. */
export interface NewPatient {
  readonly id: bigint;
  readonly document: Uint8Array<ArrayBuffer>;
  readonly columns: SearchColumns;
  readonly values: readonly SealedRow[];
  /** What it is found by in matching. */
  readonly blockKeys: readonly bigint[];
  readonly author: AuthorColumns;
}

const PATIENT_TYPE: ResourceType = "Patient";

type OwnedIdentifier = IdentifierRow & { readonly id: bigint };

/** By what an identifier is found. */
const INDEXED: readonly Column<IdentifierRow>[] = [
  ["value_hmac", "bytea", (row) => row.valueHmac],
  ["country", "text", (row) => row.country],
  ["type", "text", (row) => row.type],
];

const IDENTIFIER: readonly Column<OwnedIdentifier>[] = [
  ...INDEXED,
  ["key_id", "text", (row) => row.keyId],
  ["patient_id", "bigint", (row) => row.id],
  ["period_end", "timestamp", (row) => row.periodEnd],
];

const PATIENT: readonly Column<NewPatient>[] = [
  ["id", "bigint", (row) => row.id],
  ...searchColumns,
  ["document", "bytea", (row) => row.document],
];

const VALUE: readonly Column<SealedRow>[] = [
  ["patient_id", "bigint", (row) => row.patientId],
  ["n", "int", (row) => row.n],
  ["owner", "bigint", (row) => row.owner],
  ["country", "text", (row) => row.country],
  ["type", "text", (row) => row.type],
  ["key_id", "text", (row) => row.keyId],
  ["value_hmac", "bytea", (row) => row.valueHmac],
  ["ciphertext", "bytea", (row) => row.ciphertext],
  ["period_end", "timestamp", (row) => row.periodEnd],
];

const BLOCK_KEY: readonly Column<BlockKeyRow>[] = [
  ["key", "bigint", (row) => row.key],
  ["patient_id", "bigint", (row) => row.patientId],
];

const ID: readonly Column<NewPatient>[] = [["id", "bigint", (row) => row.id]];

const VERSION: readonly Column<NewPatient>[] = [
  ...ID,
  ["document", "bytea", (row) => row.document],
  ["author_key_id", "text", (row) => row.author.authorKeyId],
  ["author", "bytea", (row) => row.author.author],
];

/** Asks which of the rows are in the blind index already: for each its number, from 1, and the patient whose it is. */
export function takenStatement(rows: readonly IdentifierRow[]): Statement {
  return {
    name: "load_taken",
    text: `SELECT number, patient_id AS holder FROM unnest($1::bytea[], $2::text[], $3::text[]) WITH ORDINALITY
        AS wanted (value_hmac, country, type, number)
      JOIN identifier USING (value_hmac, country, type)`,
    values: arrays(INDEXED, rows),
  };
}

/** Writes whose the identifiers are: of all at once and by hash, so that two writers meet in the same order. */
export function identifierStatement(patients: readonly Identified[]): Statement {
  const rows = patients.flatMap(({ id, identifiers }) => identifiers.map((row) => ({ ...row, id })));
  return {
    name: "load_identifier",
    text: `INSERT INTO identifier (${names(IDENTIFIER)})
      SELECT ${names(IDENTIFIER)} FROM ${unnest(IDENTIFIER, 1)} ORDER BY value_hmac, country, type`,
    values: arrays(IDENTIFIER, rows),
  };
}

/** Writes what `create` writes of many patients, whose identifiers are written before. */
export function newPatientStatements(patients: readonly NewPatient[], now: Date): Statement[] {
  const [instant] = timestampTexts([now]);
  const values = patients.flatMap((patient) => patient.values);
  const keys = patients.flatMap(({ id, blockKeys }) => blockKeys.map((key) => ({ key, patientId: id })));
  return [
    {
      name: "load_patient",
      text: `INSERT INTO patient (version, updated_at, last_event, ${names(PATIENT)})
        SELECT 1, $1::timestamp, 1, ${names(PATIENT)} FROM ${unnest(PATIENT, 2)}`,
      values: [instant, ...arrays(PATIENT, patients)],
    },
    {
      name: "load_identifier_value",
      text: `INSERT INTO identifier_value (${names(VALUE)}) SELECT ${names(VALUE)} FROM ${unnest(VALUE, 1)}`,
      values: arrays(VALUE, values),
    },
    {
      name: "load_block_key",
      text: `INSERT INTO block_key (${names(BLOCK_KEY)}) SELECT ${names(BLOCK_KEY)} FROM ${unnest(BLOCK_KEY, 1)}`,
      values: arrays(BLOCK_KEY, keys),
    },
    {
      name: "load_history",
      text: `INSERT INTO patient_history (version, updated_at, ${names(VERSION)})
        SELECT 1, $1::timestamp, ${names(VERSION)} FROM ${unnest(VERSION, 2)}`,
      values: [instant, ...arrays(VERSION, patients)],
    },
    {
      name: "load_outbox",
      text: `INSERT INTO outbox (patient_id, n, kind, resource_type, dependent, version, at)
        SELECT id, 1, $1, $2, 0, 1, $3::timestamp FROM ${unnest(ID, 4)}`,
      values: [CHANGE, PATIENT_TYPE, instant, ...arrays(ID, patients)],
    },
  ];
}
