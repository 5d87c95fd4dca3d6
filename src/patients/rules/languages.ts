import type { Coding } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Patient, Patient_Communication } from "#proto/patientindex/v1/patient_pb.ts";
import { checkLanguageTag, type Report } from "../../content-rules/index.ts";

export const BCP_47 = "urn:ietf:bcp:47";
export const NATIONAL_LANGUAGES = "https://fhir.ee/CodeSystem/keeled";

/** Languages of the patient (MPI-093, tags by BCP 47) and of the resource itself. */
export function checkLanguages({ communication, language }: Patient, report: Report): void {
  checkLanguageTag(language, "Patient.language", report);
  for (const [index, one] of communication.entries()) {
    checkCommunication(one, `Patient.communication[${index}].language`, report);
  }
}

function checkCommunication({ language }: Patient_Communication, path: string, report: Report): void {
  if (!language) {
    report("ELEMENT_MISSING", { element: path }, path);
    return;
  }
  for (const [index, coding] of language.coding.entries()) {
    checkCoding(coding, `${path}.coding[${index}]`, report);
  }
}

function checkCoding({ system = "", code }: Coding, path: string, report: Report): void {
  if (system !== BCP_47 && system !== NATIONAL_LANGUAGES) {
    report("LANGUAGE_CODE_SYSTEM_UNKNOWN", { codeSystem: system }, `${path}.system`);
  } else if (code === undefined) {
    report("ELEMENT_MISSING", { element: `${path}.code` }, `${path}.code`);
  } else if (system === BCP_47) {
    checkLanguageTag(code, `${path}.code`, report);
  }
}
