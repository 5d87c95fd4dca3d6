import type pg from "pg";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { type IndexKeys, KeysReplaced } from "../../../identifier-index/index.ts";
import type { LoadedRecord } from "../../../patients/ports.ts";
import { confirmStatement, entryOfAll } from "../../audit/write-entries.ts";
import type { KnownNames } from "../../blocking/known-names.ts";
import type { Database } from "../../connection/database.ts";
import {
  allDoneInParts,
  type NamedStatements,
  namedStatements,
  type Statement,
  send,
} from "../../connection/named-statements.ts";
import { authorBytes } from "../../sealing/authors.ts";
import { areInUse } from "../../sealing/keys-in-use.ts";
import { stamped } from "../../versions/versioned.ts";
import { type AskForIds, nextIds } from "../writing/next-ids.ts";
import type { Added } from "./rows/patient-rows.ts";
import type { RowsInThread } from "./rows/rows-thread.ts";

/** What the calls of a loader work with. */
export interface Loading {
  readonly pool: pg.Pool;
  readonly database: Database;
  readonly names: KnownNames;
  readonly keys: IndexKeys;
  readonly now: Date;
  readonly preparedStatements: boolean;
}

/** Patients who may be stored, those whose identifiers nobody has. */
export interface Candidates {
  readonly patients: readonly Patient[];
  readonly rows: RowsInThread;
}

/** So many are written by one statement for each table, while the rows of the next are made. */
const WRITTEN_AT_ONCE = 100;

/**
 * One attempt: stores those whose identifiers nobody has, and says of the others how many have them. If nobody is asked who
 * has them, all are stored or none: the primary key refuses what somebody has.
 */
export async function loadMissing(
  loading: Loading,
  { patients, rows }: Candidates,
  asksForHolders: boolean,
): Promise<LoadedRecord[]> {
  const { pool, database, names, now, preparedStatements } = loading;
  const onPool = namedStatements(pool, preparedStatements);
  const [counts, ids] = await Promise.all([
    asksForHolders ? holderCounts(onPool, rows) : patients.map(() => 0),
    // The ids of patients who are not stored are not used again.
    nextIds(idsOn(onPool), patients.length),
    addNames(names, rows),
  ]);
  const added = ids.flatMap((id, place) => (counts[place] === 0 ? [{ place, id }] : []));
  if (added.length > 0) {
    const written = rows.written(partsOf(added), {
      now,
      author: authorBytes(),
      entry: entryOfAll(database, "C"),
    });
    await inTransaction(pool, async (client) => {
      await allDoneInParts(inserting(namedStatements(client, preparedStatements), written, loading.keys));
    });
  }
  return patients.map((patient, place) => {
    const holders = counts[place] ?? 0;
    if (holders > 0) return { holders };
    const id = ids[place] ?? 0n;
    confirmStatement(database, id);
    return { patient: stamped(patient, { id, version: 1, updatedAt: now }) };
  });
}

/** How many others hold identifiers of each: patients that are there, or one before it in the list that is not refused. */
async function holderCounts(statements: NamedStatements, rows: RowsInThread): Promise<number[]> {
  const { numbers, taken } = await rows.identifiers();
  const holderOf = await takenBy(statements, taken);
  const placed = new Map<number, number>();
  let row = 0;
  return numbers.map((own, place) => {
    const holders = new Set<bigint | number>();
    for (const number of own) {
      const holder = holderOf.get(++row) ?? placed.get(number);
      if (holder !== undefined) holders.add(holder);
    }
    if (holders.size === 0) for (const number of own) placed.set(number, place);
    return holders.size;
  });
}

/** Names are written before the transaction: nobody waits for it to end then. */
async function addNames(names: KnownNames, rows: RowsInThread): Promise<void> {
  await names.add(await rows.names());
}

/** Who has the identifiers that are there, by their numbers in the statement, from 1. */
async function takenBy(
  statements: NamedStatements,
  { name, text, values }: Statement,
): Promise<ReadonlyMap<number, bigint>> {
  const found = await statements.query<{ number: string; holder: string }>(name, text, values);
  return new Map(found.map(({ number, holder }) => [Number(number), BigInt(holder)]));
}

function idsOn(statements: NamedStatements): AskForIds {
  return (statement, name) => statements.query<{ id: string }>(name, statement.text, statement.values);
}

function partsOf(added: readonly Added[]): Added[][] {
  const parts = Math.ceil(added.length / WRITTEN_AT_ONCE);
  return Array.from({ length: parts }, (_, part) =>
    added.slice(part * WRITTEN_AT_ONCE, (part + 1) * WRITTEN_AT_ONCE),
  );
}

async function* inserting(
  statements: NamedStatements,
  written: readonly Promise<readonly Statement[]>[],
  keys: IndexKeys,
): AsyncGenerator<readonly Promise<void>[]> {
  for (const part of written) yield [send(statements, await part)];
  yield [refuseUnlessInUse(statements, keys)];
}

async function refuseUnlessInUse(statements: NamedStatements, keys: IndexKeys): Promise<void> {
  const { text, values } = areInUse(keys);
  const [row] = await statements.query<{ in_use: boolean }>("load_keys", `SELECT ${text} AS in_use`, values);
  if (!row?.in_use) throw new KeysReplaced("Patients were sealed under keys that are not in use any more.");
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
