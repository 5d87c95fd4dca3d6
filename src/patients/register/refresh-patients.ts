import { setTimeout as delay } from "node:timers/promises";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { isEnded } from "../../content-rules/index.ts";
import { GrpcStatus, MpiError, ofPatient } from "../../errors/index.ts";
import { isEstonianPersonalCode } from "../../identifiers/index.ts";
import type { JobRun } from "../../jobs/ports.ts";
import { failingAs, type PopulationRegister, RegisterFailure } from "../../registers/ports.ts";
import type { RegisteredPatients } from "../ports.ts";
import { type RegisterIntake, takeFromRegister } from "./take-from-register.ts";

/** What known patients are refreshed with. */
export interface RefreshingPatients {
  readonly intake: RegisterIntake;
  readonly patients: RegisteredPatients;
  /** Questions a second at most, so that callers have the register to themselves for the most part. */
  readonly rate: number;
}

const BATCH = 100;
const REPORT_EVERY = 10;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Brings all patients whom the population register knows to what it says now, one after the other by id; one of whom
 * it says nothing new gets no new version. A person that the register refuses, or a record that does not open, is a problem, and the next one follows;
 * while it gives no answer at all, the same person is asked for again, ever more slowly.
 */
export async function refreshPatients(
  { intake, patients, rate }: RefreshingPatients,
  run: JobRun,
): Promise<void> {
  const paced = { ...intake, population: pacedRegister(intake.population, rate, run.signal) };
  const place = placeOf(run.checkpoint, await patients.count());
  await run.report(progressAt(place));
  for (;;) {
    const ids = await patients.after(place.id, BATCH);
    for (const id of ids) {
      await refreshPatient(paced, id, run, place);
      place.id = id;
      place.done++;
      if (place.done % REPORT_EVERY === 0) await reportPlace(run, place);
    }
    if (ids.length > 0) continue;
    await run.report({ done: place.done, total: place.done });
    return;
  }
}

/** How far a run is. */
interface Place {
  /** The last patient that was refreshed. */
  id: bigint;
  done: number;
  /** How many there were when the run began. */
  readonly total: number;
}

function placeOf(checkpoint: string | undefined, total: number): Place {
  const [id = "0", done = "0"] = checkpoint?.split(" ") ?? [];
  return { id: BigInt(id), done: Number(done), total };
}

/** Patients who have come since are more to be done. */
function progressAt({ done, total }: Place): { readonly done: number; readonly total: number } {
  return { done, total: Math.max(total, done) };
}

async function reportPlace(run: JobRun, place: Place): Promise<void> {
  await run.report({ ...progressAt(place), checkpoint: `${place.id} ${place.done}` });
}

/** The register for one who asks one thing after the other: so many questions about a person a second at most. */
function pacedRegister(
  population: PopulationRegister,
  rate: number,
  signal: AbortSignal,
): PopulationRegister {
  let next = 0;
  return {
    ...population,
    async readPerson(asked) {
      await delay(Math.max(0, next - performance.now()), undefined, { signal });
      next = performance.now() + 1000 / rate;
      return await population.readPerson(asked);
    },
  };
}

async function refreshPatient(
  intake: RegisterIntake,
  id: bigint,
  run: JobRun,
  reached: Place,
): Promise<void> {
  // One who asks nothing of the register is not stopped by its pauses.
  run.signal.throwIfAborted();
  let failure = await refresh(intake, id, run.signal);
  if (failure) await run.problem(failure);
  if (!failure || !isSilence(failure)) return;
  // What holds the job up is seen while it does, and is one problem, however often the register is asked.
  await reportPlace(run, reached);
  for (let wait = FIRST_WAIT_MS; failure && isSilence(failure); wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    await delay(wait, undefined, { signal: run.signal });
    failure = await refresh(intake, id, run.signal);
  }
  if (failure) await run.problem(failure);
}

/** Answers with why it could not be done. */
async function refresh(
  intake: RegisterIntake,
  id: bigint,
  signal: AbortSignal,
): Promise<MpiError | undefined> {
  try {
    const stored = await intake.store.read(id);
    const personalCode = stored && personalCodeOf(stored.patient, intake.now());
    if (personalCode === undefined) return undefined;
    await failingAs(["RR_INTEGRATION_FAILED"], () => takeFromRegister(intake, personalCode, true));
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof MpiError)) throw error;
    return ofPatient(id, error);
  }
}

function personalCodeOf({ identifier }: Patient, now: Date): string | undefined {
  return identifier.find(({ system, period }) => isEstonianPersonalCode(system) && !isEnded(period, now))
    ?.value;
}

function isSilence({ cause }: MpiError): boolean {
  if (!(cause instanceof RegisterFailure)) return false;
  return cause.status === GrpcStatus.UNAVAILABLE || cause.status === GrpcStatus.DEADLINE_EXCEEDED;
}
