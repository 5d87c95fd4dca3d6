import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { BLOCK_SCHEME, blocksOf } from "../../matching/index.ts";
import { readMessage } from "../../messages/index.ts";
import { type BlockKeyRow, insertBlockKeys } from "../blocking/block-keys.ts";
import { knownNames } from "../blocking/name-variants.ts";
import type { Database } from "../connection/database.ts";
import { leaseOf } from "../connection/lease.ts";

const BATCH = 200;
const LEASE_MS = 60_000;

interface Progress {
  readonly lastId: bigint;
  readonly finishedAt: Date | null;
}

/**
 * Gives keys to the patients who were stored before there were any, the next ones behind where the last call stopped;
 * answers whether there is more to do here. One process at a time does it, under a lease: the others hear "elsewhere".
 *
 * A patient that is changed meanwhile may keep a key of its earlier version, which costs comparisons and changes nothing.
 */
export async function backfillBlockKeys(
  database: Database,
  holder: string,
  now: Date,
): Promise<"done" | "more" | "elsewhere"> {
  if ((await readProgress(database)).finishedAt) return "done";
  const lease = leaseOf(database, "block-keys");
  if (!(await lease.lease(holder, LEASE_MS))) return "elsewhere";
  // Read again: somebody else may have held the lease since.
  const { lastId, finishedAt } = await readProgress(database);
  if (!finishedAt && (await fillBehind(database, lastId, now)) === "more") return "more";
  await lease.release(holder);
  return "done";
}

/** Gives keys to the next patients behind an id. */
async function fillBehind(database: Database, lastId: bigint, now: Date): Promise<"done" | "more"> {
  const patients = await database.$queryRaw<{ id: bigint; document: Uint8Array }[]>`
    SELECT id, document FROM patient WHERE id > ${lastId} ORDER BY id LIMIT ${BATCH}`;
  const rows: BlockKeyRow[] = [];
  const names: string[] = [];
  for (const { id, document } of patients) {
    const { keys, forms } = blocksOf(readMessage(PatientSchema, document));
    rows.push(...keys.map((key) => ({ key, patientId: id })));
    names.push(...forms);
  }
  await knownNames(database).add(names);
  await insertBlockKeys(database, rows);
  const isLast = patients.length < BATCH;
  await writeProgress(database, patients.at(-1)?.id ?? lastId, isLast ? now : null);
  return isLast ? "done" : "more";
}

async function readProgress(database: Database): Promise<Progress> {
  const [row] = await database.$queryRaw<Progress[]>`
    SELECT last_id AS "lastId", finished_at AS "finishedAt" FROM block_key_backfill WHERE scheme = ${BLOCK_SCHEME}`;
  return row ?? { lastId: 0n, finishedAt: null };
}

async function writeProgress(database: Database, lastId: bigint, finishedAt: Date | null): Promise<void> {
  await database.$executeRaw`
    INSERT INTO block_key_backfill (scheme, last_id, finished_at) VALUES (${BLOCK_SCHEME}, ${lastId}, ${finishedAt})
    ON CONFLICT (scheme) DO UPDATE SET last_id = ${lastId}, finished_at = ${finishedAt}`;
}
