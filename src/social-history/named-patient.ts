import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { noteLook } from "../call/current-call.ts";
import { atParameter, type Fault, fault } from "../errors/index.ts";
import { isEstonianPersonalCode } from "../identifiers/index.ts";
import type { PatientStore, StoredPatient } from "../patients/ports.ts";
import { referredTo } from "../references/index.ts";
import { patientNumber } from "../resources/index.ts";
import { readOperationIdentifier } from "../search/index.ts";
import { daysMeant } from "../time/fhir-date.ts";
import { dayOfBirth } from "./day-of-birth.ts";
import type { SocialHistory } from "./social-history.ts";

/** The patient of an operation, whom registers know by a personal code. */
export interface NamedPatient {
  readonly id: string;
  readonly personalCode: string;
  /** YYYY-MM-DD; undefined when neither the record nor the personal code says it. */
  readonly birthDate: string | undefined;
  readonly isDeceased: boolean;
  /** The last day, YYYY-MM-DD, that the record's time of death can mean; undefined when it says none. */
  readonly deathDate: string | undefined;
}

type Faults = {
  readonly faults: readonly Fault[];
  /** Of whom something is known in spite of them: what else may be wrong can be said. */
  readonly known?: Pick<NamedPatient, "birthDate">;
};

const BY_REFERENCE = "patient";
const BY_IDENTIFIER: readonly string[] = ["patient.identifier", "patient:identifier"];
export const patientParameters: readonly string[] = [BY_REFERENCE, ...BY_IDENTIFIER];

/**
 * The patient that the parameters name: MPI-078 when none is named, MPI-021 for a reference to nobody, MPI-045 and
 * MPI-046 for an identifier of nobody and of several, MPI-022 for one without a personal code.
 */
export async function namePatient(
  { patients }: SocialHistory,
  parameters: readonly SearchParameter[],
): Promise<NamedPatient | Faults> {
  const [given, ...others] = parameters.filter(
    ({ name, value }) => patientParameters.includes(name) && value !== "",
  );
  if (!given) return faultOf(fault("PARAMETER_REQUIRED", { param: BY_REFERENCE }, atParameter(BY_REFERENCE)));
  if (others.length > 0)
    return faultOf(fault("PARAMETER_REPEATED", { param: given.name }, atParameter(given.name)));
  const found =
    given.name === BY_REFERENCE ? await byReference(patients, given) : await byIdentifier(patients, given);
  if ("faults" in found) return found;
  const { id = "" } = found.patient;
  noteLook(BigInt(id));
  return known(id, await inForce(patients, found), given.name);
}

async function byReference(
  patients: PatientStore,
  { name, value }: SearchParameter,
): Promise<StoredPatient | Faults> {
  const target = referredTo({ reference: value });
  const number = target?.type === "Patient" ? patientNumber(target.id) : undefined;
  const stored = number === undefined ? undefined : await patients.read(number);
  return stored ?? faultOf(fault("PATIENT_NOT_FOUND", {}, atParameter(name)));
}

/** The holder alone: the others of a linked group do not count. */
async function byIdentifier(
  patients: PatientStore,
  { name, value }: SearchParameter,
): Promise<StoredPatient | Faults> {
  const token = readOperationIdentifier(name, value);
  if ("meaning" in token) return faultOf(token);
  const [holder, another] = await patients.holders([token]);
  if (another !== undefined)
    return faultOf(fault("IDENTIFIER_OF_SEVERAL", { param: name }, atParameter(name)));
  const stored = holder === undefined ? undefined : await patients.read(holder);
  return stored ?? faultOf(fault("IDENTIFIER_OF_NOBODY", { param: name }, atParameter(name)));
}

/** For a record with an old personal code the record of its successor: registers keep their data under the code in force. */
async function inForce(patients: PatientStore, { patient, group }: StoredPatient): Promise<Patient> {
  if (group?.role !== "secondary" || personalCodeOf(patient) === undefined) return patient;
  const primary = (await patients.read(group.primaryId))?.patient;
  return primary && personalCodeOf(primary) !== undefined ? primary : patient;
}

function personalCodeOf({ identifier }: Patient): string | undefined {
  return identifier.find(({ system }) => isEstonianPersonalCode(system))?.value;
}

function known(id: string, record: Patient, param: string): NamedPatient | Faults {
  const { birthDate, deceased } = record;
  const personalCode = personalCodeOf(record);
  if (personalCode === undefined) {
    const missing = fault("PERSONAL_CODE_NOT_FOUND", {}, atParameter(param));
    return { faults: [missing], known: { birthDate: dayOfBirth(birthDate, "") } };
  }
  const isDeceased = deceased.case === "deceasedDateTime" || deceased.value === true;
  const deathDate = deceased.case === "deceasedDateTime" ? daysMeant(deceased.value)?.to : undefined;
  return { id, personalCode, birthDate: dayOfBirth(birthDate, personalCode), isDeceased, deathDate };
}

function faultOf(found: Fault): Faults {
  return { faults: [found] };
}
