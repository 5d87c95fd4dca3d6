import { equals } from "@bufbuild/protobuf";
import { type Element, ExtensionSchema, HumanNameSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { Report } from "../../content-rules/index.ts";
import { isValidPersonalCode } from "./identifiers.ts";

type IsSame = (current: Patient, given: Patient) => boolean;

/** Elements that follow the population register, by their FHIRPath. Extensions beside the values are free. */
const PROTECTED: readonly (readonly [expression: string, isSame: IsSame])[] = [
  ["Patient.active", (current, given) => current.active === given.active],
  ["Patient.name", hasSameNames],
  ["Patient.gender", (current, given) => current.gender === given.gender],
  ["Patient.birthDate", (current, given) => current.birthDate === given.birthDate],
  ["Patient.deceased", hasSameDeath],
];

/** Refuses to change what the population register rules on, for a patient with an Estonian personal code (MPI-071). */
export function checkProtectedElements(current: Patient, given: Patient, report: Report): void {
  if (!current.identifier.some(isValidPersonalCode)) return;
  for (const [expression, isSame] of PROTECTED) {
    if (!isSame(current, given)) report("ESTONIAN_PATIENT_ELEMENT_FIXED", {}, expression);
  }
}

function hasSameNames(current: Patient, given: Patient): boolean {
  return (
    current.name.length === given.name.length &&
    given.name.every((name, index) => {
      const before = current.name[index];
      return before !== undefined && equals(HumanNameSchema, before, name);
    })
  );
}

/** Where there is no value an extension says that the patient has died, such as at a time that is not known. */
function hasSameDeath(current: Patient, given: Patient): boolean {
  if (current.deceased.value !== given.deceased.value) return false;
  if (current.deceased.value !== undefined) return true;
  return (
    addsNoExtension(current.deceasedBooleanElement, given.deceasedBooleanElement) &&
    addsNoExtension(current.deceasedDateTimeElement, given.deceasedDateTimeElement)
  );
}

function addsNoExtension(current: Element | undefined, given: Element | undefined): boolean {
  const before = current?.extension ?? [];
  return (given?.extension ?? []).every((one) => before.some((other) => equals(ExtensionSchema, other, one)));
}
