import { setImmediate as turn } from "node:timers/promises";
import type pg from "pg";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { type Blinding, type IndexKeys, KeysReplaced } from "../../../identifier-index/index.ts";
import { blocksOf } from "../../../matching/index.ts";
import type { LoadedRecord } from "../../../patients/ports.ts";
import { insertFirstEntries } from "../../audit/first-entries.ts";
import { confirmStatement, sealedEntriesOf } from "../../audit/write-entries.ts";
import type { KnownNames } from "../../blocking/known-names.ts";
import type { Database } from "../../connection/database.ts";
import { allDoneInParts, type NamedStatements, namedStatements } from "../../connection/named-statements.ts";
import { type AuthorColumns, authorSealer } from "../../sealing/authors.ts";
import { areInUse } from "../../sealing/keys-in-use.ts";
import { stamped } from "../../versions/versioned.ts";
import { sealPatient } from "../reading/stored-patient.ts";
import type { IdentifierRow } from "../writing/identifier-rows.ts";
import {
  insertIdentifiersOfAll,
  insertNewPatients,
  type NewPatient,
  selectTaken,
} from "../writing/new-patient-rows.ts";
import { type AskForIds, nextIds } from "../writing/next-ids.ts";
import { searchColumnsOf } from "../writing/search-columns.ts";

/** What the calls of a loader work with. */
export interface Loading {
  readonly pool: pg.Pool;
  readonly database: Database;
  readonly names: KnownNames;
  readonly keys: IndexKeys;
  readonly now: Date;
  readonly blinding: Blinding;
  readonly preparedStatements: boolean;
}

/** A patient who may be stored, if nobody has the identifiers. */
export interface LoadCandidate {
  readonly patient: Patient;
  readonly identifiers: readonly IdentifierRow[];
}

/** One whose identifiers nobody has, with the id that it gets. */
type Added = LoadCandidate & { readonly id: bigint; readonly blockKeys: readonly bigint[] };

const NOTHING_KNOWN: ReadonlyMap<string, number> = new Map();
/** So many are sealed without a pause for anybody else, and written by one statement for each table. */
const SEALED_AT_ONCE = 50;

/** One attempt: stores those whose identifiers nobody has, and says of the others how many have them. */
export async function loadMissing(
  loading: Loading,
  candidates: readonly LoadCandidate[],
): Promise<LoadedRecord[]> {
  const { pool, database, names, now, preparedStatements } = loading;
  const onPool = namedStatements(pool, preparedStatements);
  const identifiers = candidates.flatMap((candidate) => candidate.identifiers);
  const [taken, ids, blockKeys] = await Promise.all([
    selectTaken(onPool, identifiers),
    // The ids of patients who are not stored are not used again.
    nextIds(idsOn(onPool), candidates.length),
    blockKeysOf(names, candidates),
  ]);
  const counts = holderCounts(taken, candidates);
  const added = candidates.flatMap((candidate, place) =>
    counts[place] === 0 ? { ...candidate, id: ids[place] ?? 0n, blockKeys: blockKeys[place] ?? [] } : [],
  );
  if (added.length > 0) {
    await inTransaction(pool, async (client) => {
      await allDoneInParts(inserting(loading, namedStatements(client, preparedStatements), added));
    });
  }
  const stored = added.values();
  return candidates.map(({ patient }, place) => {
    const holders = counts[place] ?? 0;
    if (holders > 0) return { holders };
    const id = stored.next().value?.id ?? 0n;
    confirmStatement(database, id);
    return { patient: stamped(patient, { id, version: 1, updatedAt: now }) };
  });
}

/** How many others hold identifiers of each: patients that are there, or one before it in the list that is not refused. */
function holderCounts(
  taken: ReadonlyMap<IdentifierRow, bigint>,
  candidates: readonly LoadCandidate[],
): number[] {
  const placed = new Map<string, number>();
  return candidates.map(({ identifiers }, place) => {
    const holders = new Set<bigint | number>();
    for (const row of identifiers) {
      const holder = taken.get(row) ?? placed.get(keyOf(row));
      if (holder !== undefined) holders.add(holder);
    }
    if (holders.size === 0) for (const row of identifiers) placed.set(keyOf(row), place);
    return holders.size;
  });
}

function keyOf({ valueHmac, country, type }: IdentifierRow): string {
  return `${Buffer.from(valueHmac).toString("base64")} ${country} ${type}`;
}

/** Made while the database is asked who is there. Names are written before the transaction: nobody waits for it to end then. */
async function blockKeysOf(
  names: KnownNames,
  candidates: readonly LoadCandidate[],
): Promise<(readonly bigint[])[]> {
  await turn();
  const blocks = candidates.map(({ patient }) => blocksOf(patient));
  await names.add(blocks.flatMap(({ forms }) => forms));
  return blocks.map(({ keys }) => keys);
}

function idsOn(statements: NamedStatements): AskForIds {
  return (statement, name) => statements.query<{ id: string }>(name, statement.text, statement.values);
}

/** Writes new patients: while the database stores some, the next are sealed, and others get a turn in between. */
async function* inserting(
  loading: Loading,
  statements: NamedStatements,
  added: readonly Added[],
): AsyncGenerator<readonly Promise<void>[]> {
  const { database, now } = loading;
  yield [insertIdentifiersOfAll(statements, added)];
  const authorOf = authorSealer(loading.keys);
  for (let from = 0; from < added.length; from += SEALED_AT_ONCE) {
    await turn();
    const some = added.slice(from, from + SEALED_AT_ONCE);
    const rows = some.map((one) => newPatientOf(loading, one, authorOf));
    const writes = some.map(({ id }) => ({ patientId: id, action: "C", at: now }) as const);
    const entries = sealedEntriesOf(database, writes);
    yield [insertNewPatients(statements, rows, now), insertFirstEntries(statements, entries)];
  }
  yield [refuseUnlessInUse(statements, loading.keys)];
}

async function refuseUnlessInUse(statements: NamedStatements, keys: IndexKeys): Promise<void> {
  const { text, values } = areInUse(keys);
  const [row] = await statements.query<{ in_use: boolean }>("load_keys", `SELECT ${text} AS in_use`, values);
  if (!row?.in_use) throw new KeysReplaced("Patients were sealed under keys that are not in use any more.");
}

function newPatientOf(
  { keys, blinding }: Loading,
  { id, patient, blockKeys }: Added,
  authorOf: (patientId: bigint) => AuthorColumns,
): NewPatient {
  const { document, added } = sealPatient(keys, id, patient, NOTHING_KNOWN, 1, blinding);
  const author = authorOf(id);
  return { id, document, values: added, columns: searchColumnsOf(patient), blockKeys, author };
}

async function inTransaction(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  let done = false;
  try {
    // It is waited for: what went behind a BEGIN that was cancelled would be committed statement by statement.
    await client.query("BEGIN");
    await work(client);
    await client.query("COMMIT");
    done = true;
  } finally {
    // A connection that is thrown away takes its open transaction with it.
    client.release(!done);
  }
}
