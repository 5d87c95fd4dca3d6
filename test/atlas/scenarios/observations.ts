import { contact, deleted, maritalStatus } from "../dependents.ts";
import { identifier, someone } from "../people.ts";
import { creates, listsHistory, reads, readsVersion, searches, updates } from "../requests.ts";
import type { Scenario } from "../scenario.ts";

/** Observations, of which marital status alone is stored. */
export const observationScenarios: readonly Scenario[] = [
  {
    meaning: "OBSERVATION_NOT_FOUND",
    code: "MPI-074",
    issueType: "not-found",
    prepare: () => reads("Observation/9999999990001"),
  },
  {
    meaning: "OBSERVATION_NOT_FOUND",
    code: "MPI-074",
    issueType: "not-found",
    prepare: () => listsHistory("Observation/7"),
  },
  {
    meaning: "OBSERVATION_DELETED",
    code: "MPI-074",
    issueType: "deleted",
    status: { http: 410 },
    async prepare(index) {
      const { id } = await deleted(index, maritalStatus(await someone(index)));
      return reads(`Observation/${id}`);
    },
  },
  {
    meaning: "OBSERVATION_DELETED",
    code: "MPI-074",
    issueType: "deleted",
    status: { http: 410 },
    async prepare(index) {
      const { id } = await deleted(index, maritalStatus(await someone(index)));
      return readsVersion(`Observation/${id}`, "2");
    },
  },
  {
    meaning: "ID_DIFFERS",
    code: "MPI-096",
    issueType: "value",
    expression: "Observation.id",
    async prepare(index) {
      const stored = await index.store(maritalStatus(await someone(index)));
      return updates(stored.id, { ...stored, id: "70001" });
    },
  },
  {
    meaning: "SEARCH_PARAMETERS_UNSUITABLE",
    code: "MPI-015",
    issueType: "invalid",
    prepare: () => searches("Observation", ["code", "http://snomed.info/sct|125680007"]),
  },
  {
    meaning: "PATIENT_NOT_FOUND",
    code: "MPI-021",
    issueType: "not-found",
    expression: "Observation.subject",
    prepare: () => creates(maritalStatus("Patient/999999999")),
  },
  {
    meaning: "MARITAL_STATUS_WITHOUT_RELATIONSHIP",
    code: "MPI-034",
    issueType: "business-rule",
    expression: "Observation.focus[0]",
    async prepare(index) {
      const ofAnother = await index.store(contact(await someone(index)));
      const focus = [{ reference: `RelatedPerson/${ofAnother.id}` }];
      return creates(maritalStatus(await someone(index), { focus }));
    },
  },
  {
    meaning: "MARITAL_STATUS_WITHOUT_RELATIONSHIP",
    code: "MPI-034",
    issueType: "business-rule",
    expression: "Observation.contained[0]",
    async prepare(index) {
      const patient = await someone(index);
      const stranger = { resourceType: "RelatedPerson", id: "spouse", identifier: [identifier("swe/ni")] };
      const contained = [{ ...stranger, patient: { reference: patient } }];
      return creates(maritalStatus(patient, { contained, focus: [{ reference: "#spouse" }] }));
    },
  },
  {
    meaning: "PROFILE_VALUE_NOT_ALLOWED",
    code: "MPI-096",
    issueType: "code-invalid",
    expression: "Observation.code",
    async prepare(index) {
      const code = { coding: [{ system: "http://snomed.info/sct", code: "27113001" }] };
      return creates(maritalStatus(await someone(index), { code }));
    },
  },
  {
    meaning: "PARAMETER_REPEATED",
    code: "MPI-080",
    issueType: "value",
    expression: "http.patient",
    prepare: () => searches("Observation", ["patient", "Patient/1"], ["patient", "Patient/2"]),
  },
];
