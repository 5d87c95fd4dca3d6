import pg from "pg";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { IndexKeys, KeyRing } from "../../identifier-index/index.ts";
import { blocksOf } from "../../matching/index.ts";
import { KnownNames } from "../matching/known-names.ts";
import { UNIQUE_VIOLATION } from "../sql-state.ts";
import { type IdentifierRow, identifierRows } from "./identifier-rows.ts";
import { insertNewPatients, type NewPatient, selectTaken } from "./new-patient-rows.ts";
import { searchColumnsOf } from "./search-columns.ts";
import { sealPatient } from "./stored-patient.ts";

/** Stores many new patients at once, to fill an index; the rules are not asked. */
export interface PatientLoader {
  /**
   * Stores patients as version 1, all in one transaction, and answers with how many. Left out are those of whom an
   * identifier is in the index already, so that the same call can be made again. No identifier may come twice in one
   * call; several calls may run at once.
   */
  load(patients: readonly Patient[], now: Date): Promise<number>;
  close(): Promise<void>;
}

export interface LoaderSettings {
  readonly url: string;
  readonly keys: KeyRing;
  /** How many calls may write at once. */
  readonly connections: number;
}

interface Candidate {
  readonly patient: Patient;
  readonly identifiers: readonly IdentifierRow[];
}

const ATTEMPTS = 5;

/** Opens a loader with connections of its own, past Prisma: a statement here takes arrays of a thousand rows. */
export function openPatientLoader({ url, keys: ring, connections }: LoaderSettings): PatientLoader {
  const pool = new pg.Pool({ connectionString: url, max: connections });
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
      await names.add(patients.flatMap((patient) => blocksOf(patient).forms));
      return await ring.under((keys) => loadPatients(pool, keys, patients, now));
    },
    close: () => pool.end(),
  };
}

/** Whoever takes one of the identifiers meanwhile makes the attempt fail whole, and the next one see it. */
async function loadPatients(
  pool: pg.Pool,
  keys: IndexKeys,
  patients: readonly Patient[],
  now: Date,
): Promise<number> {
  const candidates = patients.map((patient) => ({
    patient,
    identifiers: identifierRows(keys, patient.identifier),
  }));
  for (let attempt = 1; ; attempt++) {
    try {
      return await loadMissing(pool, keys, candidates, now);
    } catch (cause) {
      if (attempt === ATTEMPTS || (cause as { code?: unknown }).code !== UNIQUE_VIOLATION) throw cause;
    }
  }
}

async function loadMissing(
  pool: pg.Pool,
  keys: IndexKeys,
  candidates: readonly Candidate[],
  now: Date,
): Promise<number> {
  const taken = await selectTaken(
    pool,
    candidates.flatMap(({ identifiers }) => identifiers),
  );
  const missing = candidates.filter(({ identifiers }) => !identifiers.some((row) => taken.has(row)));
  if (missing.length === 0) return 0;
  const ids = await nextIds(pool, missing.length);
  const rows = missing.map((candidate, place) => newPatientOf(keys, ids[place] ?? 0n, candidate));
  await inTransaction(pool, (client) => insertNewPatients(client, rows, now));
  return rows.length;
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
  return { id, document, identifiers, values: added, columns: searchColumnsOf(patient), blockKeys };
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
