import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { MpiError } from "../errors/index.ts";
import { elementPaths, parseVersionId, withElements } from "../resources/index.ts";
import { parsePatientId, patientNotFound } from "./patient-id.ts";
import type { PatientIndex } from "./patient-index.ts";
import { showPatient } from "./show-patient.ts";

/** The current version of a patient, cut to `elements` when any are named (MPI-072 when there is none). */
export async function readPatient(
  index: PatientIndex,
  id: string,
  elements: readonly string[],
): Promise<Patient> {
  const paths = elementPaths(PatientSchema, elements);
  const stored = await index.store.readRecorded(parsePatientId(id), index.now());
  if (!stored) throw patientNotFound(id);
  return withElements(PatientSchema, showPatient(stored), paths);
}

/** One version of a patient as it was, cut to `elements` when any are named (MPI-079 when there is no such version). */
export async function readPatientVersion(
  index: PatientIndex,
  id: string,
  versionId: string,
  elements: readonly string[] = [],
): Promise<Patient> {
  const paths = elementPaths(PatientSchema, elements);
  const number = parsePatientId(id);
  const stored = await index.store.readVersion(number, parseVersionId(versionId));
  if (stored) return withElements(PatientSchema, showPatient(stored), paths);
  if (!(await index.store.exists(number))) throw patientNotFound(id);
  throw new MpiError("HISTORY_ENTRY_NOT_FOUND");
}
