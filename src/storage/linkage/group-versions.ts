import type { IndexKeys } from "../../identifier-index/index.ts";
import type { StoredPatient } from "../../patients/ports.ts";
import type { Transaction } from "../connection/database.ts";
import { storedPatients } from "../patients/reading/groups.ts";
import { selectPatient } from "../patients/reading/read-patients.ts";
import { recordNextVersions } from "../patients/writing/next-versions.ts";
import { laterThan } from "../versions/timestamps.ts";
import type { LockedRow } from "./locks.ts";

/** Which patients a link or its end concerns, and whose group each is in afterwards. */
export interface RegroupedPatients {
  /** Those of the pair and the roots, locked; and those whose root changes, under the lock of their root. */
  readonly ids: readonly bigint[];
  /** Those whose root becomes `movedTo`, all others have the root `keptBy`; null for nobody, alone. */
  readonly moved: readonly bigint[];
  readonly movedTo: bigint | null;
  readonly keptBy: bigint | null;
}

/** The instant of a write: later than every version of the patients whose views it changes. */
export async function instantOf(
  transaction: Transaction,
  locked: readonly LockedRow[],
  members: readonly bigint[],
  now: Date,
): Promise<Date> {
  if (members.length === 0) return laterThan(locked, now);
  const [latest] = await transaction.$queryRaw<{ updatedAt: Date }[]>`
    SELECT max(updated_at) AS "updatedAt" FROM patient WHERE id = ANY(${members})`;
  return laterThan(latest ? [...locked, latest] : locked, now);
}

/**
 * Gives every patient whose view changes its root and its next version, by three statements however large the group
 * is. A member's own content can be written at the same time without the lock of the root: its version stays later
 * than the one before.
 */
export async function writeRegrouped(
  transaction: Transaction,
  keys: IndexKeys,
  { ids, moved, movedTo, keptBy }: RegroupedPatients,
  at: Date,
): Promise<void> {
  const unique = [...new Set(ids)];
  await transaction.$executeRaw`
    UPDATE patient SET version = version + 1, last_event = last_event + 1,
      updated_at = greatest(${at}::timestamp(3), updated_at + interval '1 millisecond'),
      root_id = CASE WHEN id = ANY(${moved}) THEN ${movedTo}::bigint ELSE ${keptBy}::bigint END
    WHERE id = ANY(${unique})`;
  await recordNextVersions(transaction, keys, unique);
}

/** A patient as it shows the version that it was just given; MPI-003 when that does not open. */
export async function writtenPatient(
  transaction: Transaction,
  keys: IndexKeys,
  id: bigint,
): Promise<StoredPatient> {
  const row = await selectPatient(transaction, id);
  const [written] = row ? await storedPatients(transaction, keys, [row]) : [];
  if (!written) throw new Error("A linked patient is gone.");
  return written;
}
