import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { encodeResource } from "../../../gateway/fhir/index.ts";
import { estonianPatient } from "../../patients/examples.ts";
import { identifier, PROFILES, unknown, verified, without } from "../people.ts";
import { creates, updates } from "../requests.ts";
import type { Json, Scenario } from "../scenario.ts";

/** Profiles of patients, and the elements that have rules of their own. */
export const profileScenarios: readonly Scenario[] = [
  {
    meaning: "PROFILE_MISSING",
    code: "MPI-024",
    issueType: "required",
    expression: "Patient.meta.profile",
    prepare: () => creates(without(verified(), "meta")),
  },
  {
    meaning: "PROFILE_NOT_SUPPORTED",
    code: "MPI-023",
    issueType: "code-invalid",
    expression: "Patient.meta.profile[0]",
    prepare: () => creates(claiming("http://hl7.org/fhir/StructureDefinition/Patient")),
  },
  {
    meaning: "PROFILES_CONTRADICT",
    code: "MPI-096",
    issueType: "business-rule",
    expression: "Patient.meta.profile",
    prepare: () =>
      creates(claiming(`${PROFILES}ee-mpi-patient-verified`, `${PROFILES}ee-mpi-patient-unknown`)),
  },
  {
    meaning: "PROFILE_ELEMENT_REQUIRED",
    code: "MPI-096",
    issueType: "required",
    expression: "Patient.name[0].family",
    prepare: () => creates(verified({ name: [{ use: "official", given: ["Aune"] }] })),
  },
  {
    meaning: "PROFILE_ELEMENT_NOT_ALLOWED",
    code: "MPI-096",
    issueType: "business-rule",
    expression: "Patient.multipleBirth",
    prepare: () => creates(unknown({ multipleBirthBoolean: false })),
  },
  {
    meaning: "PROFILE_ELEMENT_COUNT",
    code: "MPI-096",
    issueType: "business-rule",
    expression: "Patient.identifier",
    prepare: () => creates(unknown({ identifier: [identifier("est/mr"), identifier("est/prn/90006399")] })),
  },
  {
    meaning: "PROFILE_VALUE_NOT_ALLOWED",
    code: "MPI-096",
    issueType: "code-invalid",
    expression: "Patient.name[0].use",
    prepare: () => creates(unknown({ name: [{ use: "usual", text: "Somebody" }] })),
  },
  {
    meaning: "SEX_UNKNOWN",
    code: "MPI-094",
    issueType: "code-invalid",
    expression: "Patient.gender",
    prepare: () => creates(verified({ gender: "M" })),
  },
  {
    meaning: "LANGUAGE_CODE_SYSTEM_UNKNOWN",
    code: "MPI-093",
    issueType: "code-invalid",
    expression: "Patient.communication[0].language.coding[0].system",
    prepare: () => creates(speaking({ system: "urn:iso:std:iso:639-2", code: "fin" })),
  },
  {
    meaning: "LANGUAGE_TAG_MALFORMED",
    code: "MPI-096",
    issueType: "value",
    expression: "Patient.communication[0].language.coding[0].code",
    prepare: () => creates(speaking({ system: "urn:ietf:bcp:47", code: "fi_FI" })),
  },
  {
    meaning: "VALUE_NOT_ALLOWED",
    code: "MPI-096",
    issueType: "code-invalid",
    expression: "Patient.identifier[0].use",
    prepare: () => creates(verified({ identifier: [{ ...identifier(), use: "primary" }] })),
  },
  {
    meaning: "PERIOD_REVERSED",
    code: "MPI-096",
    issueType: "value",
    expression: "Patient.identifier[0].period",
    prepare() {
      const period = { start: "2024-02-01", end: "2024-01-31" };
      return creates(verified({ identifier: [{ ...identifier(), period }] }));
    },
  },
  {
    meaning: "INVARIANT_BROKEN",
    code: "MPI-096",
    issueType: "invariant",
    expression: "Patient.extension[0].value",
    prepare() {
      const valueQuantity = { value: 3, code: "kg" };
      return creates(verified({ extension: [{ url: "https://his.example/weight", valueQuantity }] }));
    },
  },
  {
    meaning: "DATE_AHEAD",
    code: "MPI-096",
    issueType: "value",
    expression: "Patient.birthDate",
    prepare: () => creates(verified({ birthDate: "2199-01-01" })),
  },
  {
    meaning: "DEATH_BEFORE_BIRTH",
    code: "MPI-096",
    issueType: "value",
    expression: "Patient.deceased",
    prepare: () => creates(verified({ birthDate: "1967-03-05", deceasedDateTime: "1967-02" })),
  },
  {
    meaning: "ESTONIAN_PATIENT_ELEMENT_FIXED",
    code: "MPI-071",
    issueType: "business-rule",
    expression: "Patient.birthDate",
    async prepare(index) {
      const { id } = await index.estonianPatient();
      const stored = encodeResource(PatientSchema, estonianPatient()) as Json;
      return updates(id, { ...stored, birthDate: "1980-01-09" });
    },
  },
];

function claiming(...profile: readonly string[]): Json {
  return verified({ meta: { profile } });
}

function speaking(coding: Json): Json {
  return verified({ communication: [{ language: { coding: [coding] } }] });
}
