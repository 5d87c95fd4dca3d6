import { setImmediate as turn } from "node:timers/promises";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { currentSignal } from "../call/current-call.ts";
import { asMpiError, MpiError } from "../errors/index.ts";
import { acceptPatient } from "./create-patient.ts";
import type { PatientIndex } from "./patient-index.ts";
import type { LoadedRecord, PatientLoader } from "./ports.ts";
import { identifiersTaken } from "./rules/index.ts";

/** What became of one patient of many. */
export type Loaded =
  | { readonly outcome: "stored"; readonly patient: Patient }
  | { readonly outcome: "already-there" | "refused"; readonly error: MpiError };

/** So many are sealed and written at a time; more at once are refused as a whole. */
export const mostLoaded = 200;

/** So many have their rules checked, and their addresses asked for, without a pause for anybody else. */
const AT_ONCE = 25;

/**
 * Stores new patients at once, those whom `createPatient` would store; the others are refused each with what is wrong
 * with it. The answers stand in the order of the patients.
 */
export async function loadPatients(
  index: PatientIndex,
  loader: PatientLoader,
  given: readonly Patient[],
): Promise<Loaded[]> {
  if (given.length > mostLoaded) {
    const parameters = { element: "patients", max: String(mostLoaded) };
    throw new MpiError("ELEMENT_REPEATED_TOO_OFTEN", parameters, { expression: ["patients"] });
  }
  const accepted = await acceptAll(index, given);
  const good = accepted.filter((one): one is Patient => !(one instanceof MpiError));
  const records = (await loader.load(good, index.now())).values();
  return accepted.map((one) => {
    if (one instanceof MpiError) return { outcome: "refused", error: one };
    const record = records.next().value;
    if (!record) throw new RangeError("The loader did not answer for every patient.");
    return loadedOf(record);
  });
}

async function acceptAll(index: PatientIndex, given: readonly Patient[]): Promise<(Patient | MpiError)[]> {
  const accepted: (Patient | MpiError)[] = [];
  for (let from = 0; from < given.length; from += AT_ONCE) {
    if (from > 0) await turn();
    const some = given.slice(from, from + AT_ONCE);
    accepted.push(...(await Promise.all(some.map((patient) => acceptedOrRefusal(index, patient)))));
  }
  return accepted;
}

async function acceptedOrRefusal(index: PatientIndex, given: Patient): Promise<Patient | MpiError> {
  try {
    return await acceptPatient(index, given);
  } catch (error) {
    if (currentSignal()?.aborted) throw error;
    return asMpiError(error);
  }
}

function loadedOf(record: LoadedRecord): Loaded {
  if ("patient" in record) return { outcome: "stored", patient: record.patient };
  if ("failure" in record) return { outcome: "refused", error: asMpiError(record.failure) };
  return { outcome: "already-there", error: MpiError.of([identifiersTaken(record.holders)]) };
}
