import { ofPatient } from "../errors/index.ts";
import type { JobRun, JobWork } from "../jobs/ports.ts";
import { recordBlocks } from "./blocking/match-blocks.ts";
import { gradeOf } from "./comparison/grade.ts";
import { type Person, personOf } from "./comparison/person.ts";
import { matchScore } from "./comparison/score.ts";
import type { Candidate, DuplicateStore, MatchStore, PossibleDuplicate } from "./ports.ts";

/** What a scan works with. */
export interface DuplicateScan {
  readonly store: MatchStore;
  readonly duplicates: DuplicateStore;
  readonly now: () => Date;
}

/** Where a scan stands. */
interface Position {
  readonly startedAt: Date;
  /** Everybody up to this id is done. */
  readonly lastId: bigint;
  readonly done: number;
}

type Found = Pick<PossibleDuplicate, "id" | "otherId" | "score" | "grade">;

const BATCH = 200;

/** The job scan-duplicates. */
export function duplicateScan(scan: DuplicateScan): JobWork<"scan-duplicates"> {
  return { type: "scan-duplicates", run: (run) => scanDuplicates(scan, run) };
}

/**
 * Compares every patient with those behind it by id who share enough with it, and keeps the pairs that are probably one
 * person and not linked with each other. A pair that was decided on stays as it is, unless it was confirmed and is
 * linked no longer; one that is open and no longer found is dropped at the end. A record that does not open is a problem
 * of the job, and passed by. Keys that are missing are written on the way. An interrupted scan goes on at its checkpoint.
 */
async function scanDuplicates(scan: DuplicateScan, run: JobRun): Promise<void> {
  const total = await scan.store.count();
  let position = parsePosition(run.checkpoint) ?? { startedAt: scan.now(), lastId: 0n, done: 0 };
  for (;;) {
    run.signal.throwIfAborted();
    // The clock of the process that began may have been ahead: what is found now is no older than its beginning.
    const lookedAt = new Date(Math.max(scan.now().getTime(), position.startedAt.getTime()));
    const { candidates, unreadable } = await scan.store.next(position.lastId, BATCH);
    const ids = [...candidates, ...unreadable].map(({ id }) => id);
    if (ids.length === 0) break;
    await scan.store.writeKeys(candidates);
    await scan.duplicates.keep(await duplicatesOf(scan.store, candidates), lookedAt);
    for (const { id, cause } of unreadable) await run.problem(ofPatient(id, cause));
    position = { ...position, lastId: highest(ids), done: position.done + ids.length };
    await run.report({
      done: position.done,
      total: Math.max(total, position.done),
      checkpoint: checkpointOf(position),
    });
  }
  await scan.duplicates.dropOlder(position.startedAt);
}

async function duplicatesOf(store: MatchStore, batch: readonly Candidate[]): Promise<Found[]> {
  const persons = new Map(batch.map((record) => [record.id, describe(record)]));
  const subjects = [...persons].map(([id, { person }]) => ({ id, blocks: recordBlocks(person) }));
  const pairs = await store.sharing(subjects);
  const others = [...new Set(pairs.map(({ otherId }) => otherId))].filter((id) => !persons.has(id));
  for await (const { candidates } of store.records(others)) {
    for (const record of candidates) persons.set(record.id, describe(record));
  }
  return pairs.flatMap(({ id, otherId }) => {
    const [one, other] = [persons.get(id), persons.get(otherId)];
    if (!one || !other || one.personId === other.personId) return [];
    const score = matchScore(one.person, other.person);
    const grade = gradeOf(score);
    return grade === "certain" || grade === "probable" ? [{ id, otherId, score, grade }] : [];
  });
}

function describe({ personId, patient }: Candidate): { readonly personId: bigint; readonly person: Person } {
  return { personId, person: personOf(patient) };
}

function highest(ids: readonly bigint[]): bigint {
  return ids.reduce((one, other) => (one > other ? one : other));
}

function checkpointOf({ startedAt, lastId, done }: Position): string {
  return `${startedAt.toISOString()} ${lastId} ${done}`;
}

function parsePosition(checkpoint: string | undefined): Position | undefined {
  const [, startedAt = "", lastId = "", done = ""] = /^(\S+) (\d+) (\d+)$/.exec(checkpoint ?? "") ?? [];
  return lastId === ""
    ? undefined
    : { startedAt: new Date(startedAt), lastId: BigInt(lastId), done: Number(done) };
}
