import type { MpiError } from "../errors/index.ts";
import type { JobRun, JobWork } from "../jobs/ports.ts";
import { pause } from "./pause.ts";
import type { IndexExamination } from "./ports.ts";

const PATIENTS_AT_ONCE = 100;
const ROWS_OF_A_PART = 500;
const MOST_PARTS = 65_536;

/** How far a check is: patients come first, then the parts of the blind index. */
interface Place {
  /** The last patient that was looked at. */
  readonly patient: bigint;
  readonly patients: number;
  /** The next part; of 0 parts while patients are looked at. */
  readonly part: number;
  readonly parts: number;
}

const START: Place = { patient: 0n, patients: 0, part: 0, parts: 0 };

/**
 * Looks at every sealed row and every row of the blind index, and reports what is wrong as MPI-006: a row that does
 * not open (caused by MPI-003), a hash of another value, an identifier that the blind index does not have, has for
 * somebody else, or has of nobody. It changes nothing; one record that is wrong does not keep it from the others.
 */
export function checkIndex(examination: IndexExamination): JobWork<"check-index"> {
  return { type: "check-index", run: (run) => check(examination, run) };
}

async function check(examination: IndexExamination, run: JobRun): Promise<void> {
  const { patients, rows } = await examination.size();
  const parts = Math.min(Math.max(1, Math.ceil(rows / ROWS_OF_A_PART)), MOST_PARTS);
  let place: Place | undefined = reachedPlace(run.checkpoint);
  if (place === START) await reportAll(run, await examination.examineShared());
  while (place) {
    run.signal.throwIfAborted();
    const begun = performance.now();
    const isAtRows: boolean = place.parts > 0;
    place = isAtRows
      ? await checkPart(examination, run, place)
      : ((await checkPatients(examination, run, place)) ?? { ...place, parts });
    if (place) await run.report({ ...progressAt(place, patients, rows), checkpoint: checkpointAt(place) });
    // As long a rest as the work took, so that requests have at least half of everything.
    await pause(performance.now() - begun, run.signal);
  }
  await run.report({ done: patients + rows, total: patients + rows });
}

async function checkPatients(
  examination: IndexExamination,
  run: JobRun,
  place: Place,
): Promise<Place | undefined> {
  const batch = await examination.patientsAfter(place.patient, PATIENTS_AT_ONCE);
  if (!batch) return undefined;
  for (const suspect of batch.suspects) await reportAll(run, await examination.examinePatient(suspect));
  return { ...place, patient: batch.lastPatient, patients: place.patients + batch.patients };
}

async function checkPart(
  examination: IndexExamination,
  run: JobRun,
  place: Place,
): Promise<Place | undefined> {
  for (const row of await examination.strayRows(place.part, place.parts)) {
    await reportAll(run, await examination.examineRow(row));
  }
  return place.part + 1 < place.parts ? { ...place, part: place.part + 1 } : undefined;
}

async function reportAll(run: JobRun, problems: readonly MpiError[]): Promise<void> {
  for (const problem of problems) await run.problem(problem);
}

function progressAt(
  place: Place,
  patients: number,
  rows: number,
): { readonly done: number; readonly total: number } {
  const rowsDone = place.parts > 0 ? Math.floor((rows * place.part) / place.parts) : 0;
  const patientsDone = place.parts > 0 ? patients : Math.min(place.patients, patients);
  return { done: patientsDone + rowsDone, total: patients + rows };
}

function checkpointAt({ patient, patients, part, parts }: Place): string {
  return [patient, patients, part, parts].join(" ");
}

function reachedPlace(checkpoint = ""): Place {
  const [, patient, patients, part, parts] = /^(\d+) (\d+) (\d+) (\d+)$/.exec(checkpoint) ?? [];
  if (patient === undefined) return START;
  return {
    patient: BigInt(patient),
    patients: Number(patients),
    part: Number(part),
    parts: Number(parts),
  };
}
