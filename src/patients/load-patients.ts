import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { MpiError } from "../errors/index.ts";
import { acceptPatient, identifiersTaken } from "./create-patient.ts";
import type { PatientIndex } from "./patient-index.ts";
import type { PatientLoader } from "./ports.ts";

/** What became of one patient of many. */
export type Loaded =
  | { readonly outcome: "stored"; readonly id: bigint }
  | { readonly outcome: "already-there" | "refused"; readonly error: MpiError };

/** So many have their rules checked and are sealed without a pause for anybody else. */
const MOST_PATIENTS = 200;

/**
 * Stores new patients at once, those whom `createPatient` would store; the others are refused each with what is wrong
 * with it. The answers stand in the order of the patients.
 */
export async function loadPatients(
  index: PatientIndex,
  loader: PatientLoader,
  given: readonly Patient[],
): Promise<Loaded[]> {
  if (given.length > MOST_PATIENTS) {
    const parameters = { element: "patients", max: String(MOST_PATIENTS) };
    throw new MpiError("ELEMENT_REPEATED_TOO_OFTEN", parameters, { expression: ["patients"] });
  }
  const accepted = await Promise.all(given.map((patient) => acceptedOrRefusal(index, patient)));
  const good = accepted.filter((one): one is Patient => !(one instanceof MpiError));
  const stored = (await loader.load(good, index.now())).values();
  return accepted.map((one) => {
    if (one instanceof MpiError) return { outcome: "refused", error: one };
    const result = stored.next().value;
    if (!result) throw new RangeError("The loader did not answer for every patient.");
    if ("id" in result) return { outcome: "stored", id: result.id };
    return { outcome: "already-there", error: identifiersTaken(result.holders) };
  });
}

async function acceptedOrRefusal(index: PatientIndex, given: Patient): Promise<Patient | MpiError> {
  try {
    return await acceptPatient(index, given);
  } catch (error) {
    if (error instanceof MpiError) return error;
    throw error;
  }
}
