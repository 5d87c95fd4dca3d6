import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { currentSignal } from "../../../call/current-call.ts";
import { Turns } from "../../../concurrency/turns.ts";
import type { KeyRing } from "../../../identifier-index/index.ts";
import type { LoadedRecord, PatientLoader } from "../../../patients/ports.ts";
import { knownNames } from "../../blocking/name-variants.ts";
import { CancellablePool } from "../../connection/cancellable-pool.ts";
import { ANSWER_MS, type Database } from "../../connection/database.ts";
import { SESSION_NAMES } from "../../connection/session-names.ts";
import { underKeysInUse } from "../../sealing/keys-in-use.ts";
import { isOvertaken, loadApart } from "./load-apart.ts";
import { type Candidates, type Loading, loadMissing } from "./load-missing.ts";
import { RowsThread } from "./rows/rows-thread.ts";

/** A loader with connections of its own, which are made when there is something to load. The rules are not asked. */
export interface OpenLoader extends PatientLoader {
  close(): Promise<void>;
}

export interface LoaderSettings {
  readonly url: string;
  /** Whose audit trail has the entries of what is loaded, if it has one. */
  readonly database: Database;
  readonly keys: KeyRing;
  /** How many loads may be written at once; the rows of one more are made meanwhile, the others wait. */
  readonly connections: number;
  /** Whether connections keep prepared statements; they do not unless given. */
  readonly preparedStatements?: boolean;
}

const ATTEMPTS = 5;
const CONNECTING_MS = 10_000;
const IDLE_MS = 10_000;

/** Opens a loader past Prisma: a statement here takes arrays of a thousand rows. */
export function openPatientLoader(settings: LoaderSettings): OpenLoader {
  const { url, database, keys: ring, connections, preparedStatements = false } = settings;
  const pool = new CancellablePool({
    connectionString: url,
    fallback_application_name: SESSION_NAMES.loads,
    max: connections,
    connectionTimeoutMillis: CONNECTING_MS,
    idleTimeoutMillis: IDLE_MS,
    // Statements are sent without waiting for those before them: otherwise each waits until this process has a moment.
    pipeline: true,
    answerMs: ANSWER_MS,
  });
  // The pool replaces an idle connection that broke; one in use fails the call.
  pool.on("error", () => undefined);
  const names = knownNames(database);
  const thread = new RowsThread();
  const known: KnownHolders = { wereMet: false };
  const loadAll = (patients: readonly Patient[], now: Date) =>
    loadApart(patients, async (some) => {
      return await underKeysInUse(database, ring, async (keys) => {
        const rows = thread.rowsOf(keys, some);
        try {
          const loading = { pool, database, names, keys, now, preparedStatements };
          return await loadPatients(loading, { patients: some, rows }, known);
        } finally {
          rows.close();
        }
      });
    });
  // How many wait is bounded by the calls that a process takes.
  const turns = new Turns({
    atOnce: connections + 1,
    most: connections + 1,
    waiting: Number.POSITIVE_INFINITY,
  });
  return {
    load: (patients, now) => turns.take(1, () => loadAll(patients, now)),
    close: async () => {
      await pool.end();
      await thread.close();
    },
  };
}

/** Whether the load before met somebody who has an identifier of its patients: then it is likely of the next one. */
interface KnownHolders {
  wereMet: boolean;
}

/**
 * Most loads are of people whom nobody knows, so who has their identifiers is asked only if somebody was met by the load before,
 * or by an attempt: that fails whole, also when somebody takes one of them meanwhile.
 */
async function loadPatients(
  loading: Loading,
  candidates: Candidates,
  known: KnownHolders,
): Promise<LoadedRecord[]> {
  for (let attempt = 1; ; attempt++) {
    currentSignal()?.throwIfAborted();
    try {
      const loaded = await loadMissing(loading, candidates, attempt > 1 || known.wereMet);
      known.wereMet = loaded.some((record) => "holders" in record);
      return loaded;
    } catch (cause) {
      if (attempt === ATTEMPTS || !isOvertaken(cause)) throw cause;
    }
  }
}
