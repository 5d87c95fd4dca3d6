import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { Prisma } from "../../../../prisma/gen/client.ts";
import { type IndexKeys, KeysReplaced } from "../../../identifier-index/index.ts";
import { areSameIdentifiers } from "../../../patients/index.ts";
import { IdentifierTaken } from "../../../patients/ports.ts";
import { confirmStatement, entryOfStatement } from "../../audit/write-entries.ts";
import { CHANGE } from "../../changes/outbox.ts";
import type { Database } from "../../connection/database.ts";
import { unlessVictim } from "../../connection/deadlock-victims.ts";
import { sqlState, UNIQUE_VIOLATION } from "../../connection/sql-state.ts";
import { sealedAuthor } from "../../sealing/authors.ts";
import { areInUse, refuseReplaced } from "../../sealing/keys-in-use.ts";
import type { SealedRow } from "../../sealing/sealed-document.ts";
import { laterThan, timestampTexts } from "../../versions/timestamps.ts";
import { stamped } from "../../versions/versioned.ts";
import { CONTACT_DATA } from "../contact-data-queue.ts";
import { documentOf, knownValuesOf, sealPatient, versionOf } from "../reading/stored-patient.ts";
import { type IdentifierRow, identifierRows } from "./identifier-rows.ts";
import { searchColumnNames, searchColumnSettings, searchColumnValues } from "./search-column-sql.ts";
import { searchColumnsOf } from "./search-columns.ts";
import type { ChangedRecord, NewRecord } from "./write-patient.ts";

/**
 * What `insertPatient` writes, as one statement: most of what a write costs is the number of its statements. Its
 * tables are not all distributed alike, so in a cluster it is of no use.
 */
export async function insertPatientAtOnce(
  database: Database,
  keys: IndexKeys,
  { id, given, blockKeys }: NewRecord,
  now: Date,
): Promise<Patient> {
  const { document, added } = sealPatient(keys, id, given, new Map(), 1);
  const columns = searchColumnsOf(given);
  let written: number;
  try {
    written = await unlessVictim(
      () => database.$executeRaw`
    WITH written AS (
      INSERT INTO patient (id, version, updated_at, ${searchColumnNames}, last_event, document)
      SELECT ${id}, 1, ${now}, ${searchColumnValues(columns)}, 1, ${document} WHERE ${areInUse(keys)}
      RETURNING id, version, updated_at, last_event, root_id, document),
    taken AS (${insertedIdentifiers(identifierRows(keys, given.identifier))}),
    sealed AS (${insertedValues(added)}),
    found_by AS (
      INSERT INTO block_key (key, patient_id) SELECT key, id FROM written, unnest(${[...blockKeys]}::bigint[]) AS key),
    ${recorded(keys, id, [CHANGE])}
    ${entryOfStatement(database, { patientId: id, action: "C", at: now })}
    SELECT FROM written`,
    );
  } catch (cause) {
    // Nothing else that is written here could have been there before: the id is new.
    if (sqlState(cause) !== UNIQUE_VIOLATION) throw cause;
    throw new IdentifierTaken("Another patient has an identifier of this one.", { cause });
  }
  if (written === 0)
    throw new KeysReplaced("The patient was sealed under keys that are not in use any more.");
  confirmStatement(database, id);
  return stamped(given, { id, version: 1, updatedAt: now });
}

/**
 * What `replacePatient` writes, as one statement, when the patient is the one that was read and keeps its identifiers
 * and all other sealed values; undefined when it does not, and nothing was written. The condition on the version
 * stands for the lock: whoever waits for another writer looks at the row again.
 */
export async function replacePatientAtOnce(
  database: Database,
  keys: IndexKeys,
  { current, next, blocks, deliveries }: ChangedRecord,
  now: Date,
): Promise<Patient | "stale" | undefined> {
  const stored = documentOf(current);
  const lastUpdated = current.meta?.lastUpdated;
  if (!stored || !lastUpdated || !areSameIdentifiers(current.identifier, next.identifier)) return undefined;
  const id = BigInt(current.id ?? "");
  const { document, added } = sealPatient(keys, id, next, knownValuesOf(stored, current), 1);
  if (added.length > 0) return undefined;
  const columns = searchColumnsOf(next);
  const kinds = deliveries?.contactData ? [CHANGE, CONTACT_DATA] : [CHANGE];
  const updatedAt = laterThan([{ updatedAt: timestampDate(lastUpdated) }], now);
  const rows = await unlessVictim(
    () => database.$queryRaw<{ version: number }[]>`
    WITH written AS (
      UPDATE patient SET version = version + 1, updated_at = ${updatedAt}, ${searchColumnSettings(columns)},
        last_event = last_event + ${kinds.length}::int, document = ${document}
      WHERE id = ${id} AND version = ${versionOf(current)} AND ${areInUse(keys)}
      RETURNING id, version, updated_at, last_event, root_id, document),
    no_more AS (
      DELETE FROM block_key WHERE key = ANY(${[...blocks.gone]}::bigint[])
        AND patient_id = (SELECT id FROM written)),
    found_by AS (
      INSERT INTO block_key (key, patient_id)
      SELECT key, id FROM written, unnest(${[...blocks.added]}::bigint[]) AS key
      ON CONFLICT DO NOTHING),
    ${recorded(keys, id, kinds)}
    ${entryOfStatement(database, { patientId: id, action: "U", at: updatedAt })}
    SELECT version FROM written`,
  );
  const [row] = rows;
  if (!row) {
    await refuseReplaced(database, keys);
    return "stale";
  }
  confirmStatement(database, id);
  return stamped(next, { id, version: row.version, updatedAt });
}

/** The version in the history, and in the outbox for each kind of those who are told of it. */
function recorded(keys: IndexKeys, id: bigint, kinds: readonly string[]): Prisma.Sql {
  const { authorKeyId, author } = sealedAuthor(keys, id);
  return Prisma.sql`
    history AS (
      INSERT INTO patient_history (id, version, updated_at, root_id, document, author_key_id, author)
      SELECT id, version, updated_at, root_id, document, ${authorKeyId}, ${author} FROM written),
    told AS (
      INSERT INTO outbox (patient_id, n, kind, resource_type, dependent, version, at)
      SELECT id, last_event - ${kinds.length}::int + place, kind, 'Patient', 0, version, updated_at
      FROM written, unnest(${[...kinds]}::text[]) WITH ORDINALITY AS kinds (kind, place))`;
}

/** In the order in which all writers take them, as `identifierRows` gives them. */
function insertedIdentifiers(rows: readonly IdentifierRow[]): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO identifier (value_hmac, country, type, key_id, patient_id, period_end)
    SELECT value_hmac, country, type, key_id, id, nullif(period_end, '')::timestamp(3)
    FROM written, unnest(${rows.map(({ valueHmac }) => valueHmac)}::bytea[], ${rows.map(({ country }) => country)}::text[],
      ${rows.map(({ type }) => type)}::text[], ${rows.map(({ keyId }) => keyId)}::text[], ${endTexts(rows)}::text[])
      AS row (value_hmac, country, type, key_id, period_end)
    ORDER BY value_hmac, country, type`;
}

function insertedValues(rows: readonly SealedRow[]): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO identifier_value
      (patient_id, n, owner, country, type, key_id, value_hmac, ciphertext, period_end)
    SELECT id, n, id, nullif(country, ''), nullif(type, ''), key_id, value_hmac, ciphertext,
      nullif(period_end, '')::timestamp(3)
    FROM written, unnest(${rows.map(({ n }) => n)}::int[], ${rows.map(({ country }) => country ?? "")}::text[],
      ${rows.map(({ type }) => type ?? "")}::text[], ${rows.map(({ keyId }) => keyId)}::text[],
      ${rows.map(({ valueHmac }) => valueHmac)}::bytea[], ${rows.map(({ ciphertext }) => ciphertext)}::bytea[],
      ${endTexts(rows)}::text[]) AS row (n, country, type, key_id, value_hmac, ciphertext, period_end)`;
}

function endTexts(rows: readonly { readonly periodEnd: Date | null }[]): string[] {
  return rows.map(({ periodEnd }) => (periodEnd ? (timestampTexts([periodEnd])[0] ?? "") : ""));
}
