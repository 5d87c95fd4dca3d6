import { MpiError } from "../errors/index.ts";
import type { JobRun, JobWork } from "../jobs/ports.ts";
import { inconsistent } from "./inconsistent.ts";
import { pause } from "./pause.ts";
import type { KeyRotations, Rotation, RotationSize } from "./ports.ts";

const PATIENTS_AT_ONCE = 10;
const ROWS_OF_A_PART = 500;
const MOST_PARTS = 65_536;
/** A rest is so many times as long as the work before it. */
const RESTS = 3;
const LOOK_AGAIN_MS = 100;
/** Longer than a process counts as alive after its last sign. */
const PATIENCE_MS = 120_000;
/** Longer than any transaction of a process that serves. */
const LONGEST_WRITE_MS = 60_000;

/**
 * Takes the index from its primary key to the secondary one while the service serves (docs/keys.md). The database
 * knows how far the rotation is, so a run goes on where the last one ended, whyever it ended.
 *
 * Refused with MPI-005 when there is no secondary key, or a process that serves does not get it. Fails with MPI-006
 * before anything is deleted when a row does not open or the index is not consistent.
 */
export function reencryptIndex(rotations: KeyRotations): JobWork<"reencrypt-index"> {
  return {
    type: "reencrypt-index",
    async mayStart() {
      await begun(rotations);
    },
    run: (run) => rotate(rotations, run),
  };
}

async function begun(rotations: KeyRotations): Promise<Rotation> {
  const rotation = (await rotations.underWay()) ?? (await rotations.begin());
  if (!rotation) throw new MpiError("SECONDARY_KEY_REQUIRED");
  return rotation;
}

async function rotate(rotations: KeyRotations, run: JobRun): Promise<void> {
  let rotation: Rotation | undefined = await begun(rotations);
  while (rotation) {
    await untilAllAreReady(rotations, run.signal);
    if (rotation.phase === "filling") await fill(rotations, rotation, run);
    if (rotation.phase === "leaving") {
      await untilEarlierWritesEnd(rotations, run.signal);
      await deleteOld(rotations, rotation, run);
    }
    run.signal.throwIfAborted();
    rotation = await rotations.advance(rotation);
  }
}

async function untilAllAreReady(rotations: KeyRotations, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    signal.throwIfAborted();
    const unready = await rotations.unready();
    if (unready === 0) return;
    if (performance.now() > deadline) {
      const cause = new Error(`${unready} processes do not act on the states of the keys.`);
      throw new MpiError("SECONDARY_KEY_REQUIRED", {}, { cause });
    }
    await pause(LOOK_AGAIN_MS, signal);
  }
}

/**
 * The database refuses what is sealed under keys of before (src/storage/sealing/keys-in-use.ts), but for what it let
 * through before the step and has not committed yet: of a process that is not heard of any more, say.
 */
async function untilEarlierWritesEnd(rotations: KeyRotations, signal: AbortSignal): Promise<void> {
  const earlier = new Set(await rotations.openTransactions());
  const deadline = performance.now() + LONGEST_WRITE_MS;
  while (performance.now() < deadline) {
    const open = await rotations.openTransactions();
    if (!open.some((name) => earlier.has(name))) return;
    await pause(LOOK_AGAIN_MS, signal);
  }
}

/** A second round finds what the one before its interruption has left. */
async function fill(rotations: KeyRotations, rotation: Rotation, run: JobRun): Promise<void> {
  const reached = reachedPatient(rotation, run.checkpoint);
  let failure: MpiError | undefined;
  for (const start of reached > 0n ? [reached, 0n] : [0n]) {
    failure = await fillAfter(rotations, rotation, run, start);
    if (isFilled(await rotations.size(rotation))) return;
  }
  throw inconsistent(failure);
}

/** Answers with the last failure to open a row. */
async function fillAfter(
  rotations: KeyRotations,
  rotation: Rotation,
  run: JobRun,
  start: bigint,
): Promise<MpiError | undefined> {
  const { sealed: total, moved, oldRows } = await rotations.size(rotation);
  let [after, done, failure]: [bigint, number, MpiError | undefined] = [start, moved, undefined];
  const shared = await rotations.moveShared(rotation);
  for (failure of shared.unreadable) await run.problem(failure);
  done += shared.rows;
  for (;;) {
    run.signal.throwIfAborted();
    const begun = performance.now();
    const batch = await rotations.moveAfter(rotation, after, PATIENTS_AT_ONCE);
    if (!batch) return failure;
    for (failure of batch.unreadable) await run.problem(failure);
    after = batch.lastPatient;
    done += batch.rows;
    await run.report({ done, total: total + oldRows, checkpoint: checkpointAt(rotation, after) });
    await rest(begun, run.signal);
  }
}

function isFilled(size: RotationSize): boolean {
  return size.moved === size.sealed && size.newRows === size.oldRows && size.strangeRows === 0;
}

async function deleteOld(rotations: KeyRotations, rotation: Rotation, run: JobRun): Promise<void> {
  const { sealed, oldRows, newRows } = await sizeOnceWhole(rotations, rotation, run);
  const parts = Math.min(Math.max(1, Math.ceil((oldRows + newRows) / ROWS_OF_A_PART)), MOST_PARTS);
  for (let part = 0; part < parts; part++) {
    run.signal.throwIfAborted();
    const begun = performance.now();
    await rotations.deleteOldRows(rotation, part, parts);
    const left = Math.round((oldRows * (parts - part - 1)) / parts);
    await run.report({ done: sealed + newRows - left, total: sealed + newRows });
    await rest(begun, run.signal);
  }
  await rotations.deleteOldAnswers(rotation);
  const left = await rotations.size(rotation);
  const isGone = left.moved === left.sealed && left.oldRows + left.strangeRows + left.answers === 0;
  if (!isGone) throw inconsistent();
}

/** Seals anew what was committed late, before the old rows are deleted: by them it is found. */
async function sizeOnceWhole(
  rotations: KeyRotations,
  rotation: Rotation,
  run: JobRun,
): Promise<RotationSize> {
  const size = await rotations.size(rotation);
  if (size.moved === size.sealed) return size;
  const failure = await fillAfter(rotations, rotation, run, 0n);
  const filled = await rotations.size(rotation);
  if (filled.moved !== filled.sealed) throw inconsistent(failure);
  return filled;
}

/** Requests have at least three quarters of everything. */
async function rest(begun: number, signal: AbortSignal): Promise<void> {
  await pause(RESTS * (performance.now() - begun), signal);
}

function checkpointAt({ to }: Rotation, patientId: bigint): string {
  return `${to} ${patientId}`;
}

/** A checkpoint of another rotation says nothing. */
function reachedPatient({ to }: Rotation, checkpoint = ""): bigint {
  const [key, patientId = ""] = checkpoint.split(" ");
  return key === to && /^\d{1,18}$/.test(patientId) ? BigInt(patientId) : 0n;
}
