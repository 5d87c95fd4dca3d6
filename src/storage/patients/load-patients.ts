import pg from "pg";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { currentSignal } from "../../call/cancellation.ts";
import type { IndexKeys, KeyRing } from "../../identifier-index/index.ts";
import { blocksOf } from "../../matching/index.ts";
import type { LoadedRecord, PatientLoader } from "../../patients/ports.ts";
import { insertFirstEntries } from "../audit/first-entries.ts";
import { confirmStatement, sealedEntriesOf } from "../audit/write-entries.ts";
import { sealedAuthor } from "../authors.ts";
import type { Database } from "../database.ts";
import { KnownNames } from "../matching/known-names.ts";
import { DEADLOCK_DETECTED, UNIQUE_VIOLATION } from "../sql-state.ts";
import { type IdentifierRow, identifierRows } from "./identifier-rows.ts";
import { insertNewPatients, type NewPatient, selectTaken } from "./new-patient-rows.ts";
import { searchColumnsOf } from "./search-columns.ts";
import { sealPatient } from "./stored-patient.ts";

/** A loader with connections of its own, which are made when there is something to load. The rules are not asked. */
export interface OpenLoader extends PatientLoader {
  close(): Promise<void>;
}

export interface LoaderSettings {
  readonly url: string;
  /** Whose audit trail has the entries of what is loaded, if it has one. */
  readonly database: Database;
  readonly keys: KeyRing;
  /** How many calls may write at once; more wait. */
  readonly connections: number;
}

/** What the calls of a loader work with. */
interface Loading {
  readonly pool: pg.Pool;
  readonly database: Database;
  readonly keys: IndexKeys;
  readonly now: Date;
}

interface Candidate {
  readonly patient: Patient;
  readonly identifiers: readonly IdentifierRow[];
}

const ATTEMPTS = 5;
const IDLE_MS = 10_000;

/** Opens a loader past Prisma: a statement here takes arrays of a thousand rows. */
export function openPatientLoader({ url, database, keys: ring, connections }: LoaderSettings): OpenLoader {
  const pool = new pg.Pool({ connectionString: url, max: connections, idleTimeoutMillis: IDLE_MS });
  // The pool replaces an idle connection that broke; one in use fails the call.
  pool.on("error", () => undefined);
  const names = new KnownNames(async (variants, forms) => {
    await pool.query(
      `INSERT INTO name_variant (variant, form) SELECT * FROM unnest($1::bigint[], $2::text[]) ON CONFLICT DO NOTHING`,
      [variants, forms],
    );
  });
  return {
    async load(patients, now) {
      if (patients.length === 0) return [];
      await names.add(patients.flatMap((patient) => blocksOf(patient).forms));
      return await ring.under((keys) => loadPatients({ pool, database, keys, now }, patients));
    },
    close: () => pool.end(),
  };
}

/** Whoever takes one of the identifiers meanwhile makes the attempt fail whole, and the next one see it. */
async function loadPatients(loading: Loading, patients: readonly Patient[]): Promise<LoadedRecord[]> {
  const candidates = patients.map((patient) => ({
    patient,
    identifiers: identifierRows(loading.keys, patient.identifier),
  }));
  for (let attempt = 1; ; attempt++) {
    currentSignal()?.throwIfAborted();
    try {
      return await loadMissing(loading, candidates);
    } catch (cause) {
      const { code } = cause as { code?: unknown };
      if (attempt === ATTEMPTS || (code !== UNIQUE_VIOLATION && code !== DEADLOCK_DETECTED)) throw cause;
    }
  }
}

async function loadMissing(loading: Loading, candidates: readonly Candidate[]): Promise<LoadedRecord[]> {
  const { pool, database, keys, now } = loading;
  const counts = holderCounts(
    await selectTaken(
      pool,
      candidates.flatMap(({ identifiers }) => identifiers),
    ),
    candidates,
  );
  const ids = await nextIds(pool, counts.filter((count) => count === 0).length);
  const free = ids.values();
  const loaded = counts.map((holders) => (holders === 0 ? { id: free.next().value ?? 0n } : { holders }));
  if (ids.length === 0) return loaded;
  const rows = candidates.flatMap((candidate, place) => {
    const one = loaded[place];
    return one && "id" in one ? [newPatientOf(keys, one.id, candidate)] : [];
  });
  const entries = sealedEntriesOf(
    database,
    ids.map((patientId) => ({ patientId, action: "C", at: now })),
  );
  await inTransaction(pool, async (client) => {
    await insertNewPatients(client, rows, now);
    await insertFirstEntries(client, entries);
  });
  // That one is told says that the call has written, and so has its entries.
  if (ids[0] !== undefined) confirmStatement(database, ids[0]);
  return loaded;
}

/** How many others hold identifiers of each: patients that are there, or one before it in the list that is not refused. */
function holderCounts(taken: ReadonlyMap<IdentifierRow, bigint>, candidates: readonly Candidate[]): number[] {
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

async function nextIds(pool: pg.Pool, count: number): Promise<bigint[]> {
  const { rows } = await pool.query<{ id: string }>(
    "SELECT nextval('patient_id') AS id FROM generate_series(1, $1::int)",
    [count],
  );
  return rows.map((row) => BigInt(row.id));
}

function newPatientOf(keys: IndexKeys, id: bigint, { patient, identifiers }: Candidate): NewPatient {
  const { document, added } = sealPatient(keys, id, patient, new Map(), 1);
  const { keys: blockKeys } = blocksOf(patient);
  const author = sealedAuthor(keys, id);
  return { id, document, identifiers, values: added, columns: searchColumnsOf(patient), blockKeys, author };
}

async function inTransaction(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  let done = false;
  try {
    await client.query("BEGIN");
    await work(client);
    await client.query("COMMIT");
    done = true;
  } finally {
    // A connection that is thrown away takes its open transaction with it.
    client.release(!done);
  }
}
