import { GrpcStatus } from "../../../src/errors/index.ts";
import { contact, deleted, kind } from "../dependents.ts";
import { holdersOfOneNumber, identifier, PID, someone, verified, without } from "../people.ts";
import { creates, reads, readsVersion, removes, searches, updates } from "../requests.ts";
import type { Scenario } from "../scenario.ts";

/** Contact persons: there or not, their content, and what is around them. */
export const relatedPersonScenarios: readonly Scenario[] = [
  {
    meaning: "RELATED_PERSON_NOT_FOUND",
    code: "MPI-073",
    issueType: "not-found",
    prepare: () => reads("RelatedPerson/9999999990001"),
  },
  {
    meaning: "RELATED_PERSON_NOT_FOUND",
    code: "MPI-073",
    issueType: "not-found",
    prepare: () => removes("RelatedPerson/9999999990001"),
  },
  {
    meaning: "RELATED_PERSON_DELETED",
    code: "MPI-073",
    issueType: "deleted",
    status: { http: 410 },
    async prepare(index) {
      const { id } = await deleted(index, contact(await someone(index)));
      return reads(`RelatedPerson/${id}`);
    },
  },
  {
    meaning: "RELATED_PERSON_DELETED",
    code: "MPI-073",
    issueType: "deleted",
    status: { http: 410 },
    async prepare(index) {
      const stored = await deleted(index, contact(await someone(index)));
      return updates(stored.id, stored);
    },
  },
  {
    meaning: "HISTORY_ENTRY_NOT_FOUND",
    code: "MPI-079",
    issueType: "not-found",
    async prepare(index) {
      const { id } = await index.store(contact(await someone(index)));
      return readsVersion(`RelatedPerson/${id}`, "2");
    },
  },
  {
    meaning: "VERSION_CONFLICT",
    code: "MPI-400",
    issueType: "conflict",
    status: { http: 412, grpc: GrpcStatus.ABORTED },
    async prepare(index) {
      const { id } = await index.store(contact(await someone(index)));
      return removes(`RelatedPerson/${id}`, 'W/"2"');
    },
  },
  {
    meaning: "PATIENT_NOT_FOUND",
    code: "MPI-021",
    issueType: "not-found",
    expression: "RelatedPerson.patient",
    prepare: () => creates(contact("Patient/999999999")),
  },
  {
    meaning: "PATIENT_NOT_FOUND",
    code: "MPI-021",
    issueType: "not-found",
    expression: "http.patient",
    prepare: () => searches("RelatedPerson", ["patient", "Patient/999999999"]),
  },
  {
    meaning: "REFERENCE_INVALID",
    code: "MPI-096",
    issueType: "value",
    expression: "RelatedPerson.patient",
    prepare: () => creates(contact("Practitioner/1")),
  },
  {
    meaning: "REFERENCE_INVALID",
    code: "MPI-096",
    issueType: "value",
    expression: "RelatedPerson.patient",
    async prepare(index) {
      const stored = await index.store(contact(await someone(index)));
      return updates(stored.id, { ...stored, patient: { reference: await someone(index) } });
    },
  },
  {
    meaning: "IDENTIFIER_OF_NOBODY",
    code: "MPI-045",
    issueType: "not-found",
    expression: "RelatedPerson.patient.identifier",
    prepare: () => creates(contact("", { patient: { identifier: identifier() } })),
  },
  {
    meaning: "IDENTIFIER_OF_NOBODY",
    code: "MPI-045",
    issueType: "not-found",
    expression: "http.patient.identifier",
    prepare: () => searches("RelatedPerson", ["patient.identifier", `${PID}/fin/ni|${identifier().value}`]),
  },
  {
    meaning: "IDENTIFIER_OF_SEVERAL",
    code: "MPI-046",
    issueType: "multiple-matches",
    expression: "http.patient.identifier",
    async prepare(index) {
      const value = await holdersOfOneNumber(index);
      return searches("RelatedPerson", ["patient.identifier", `${PID}|${value}`]);
    },
  },
  {
    meaning: "REQUEST_PERSONAL_CODE_INVALID",
    code: "MPI-044",
    issueType: "value",
    expression: "http.patient.identifier",
    prepare: () => searches("RelatedPerson", ["patient.identifier", `${PID}/est/ni|38001085719`]),
  },
  {
    meaning: "PROFILE_ELEMENT_REQUIRED",
    code: "MPI-096",
    issueType: "required",
    expression: "RelatedPerson.period",
    prepare: async (index) => creates(without(contact(await someone(index)), "period")),
  },
  {
    meaning: "CONTACT_KIND_UNKNOWN",
    code: "MPI-018",
    issueType: "code-invalid",
    expression: "RelatedPerson.relationship[0].coding[0].code",
    prepare: async (index) => creates(contact(await someone(index), { relationship: [kind("NOK")] })),
  },
  {
    meaning: "CONTACT_IS_PATIENT",
    code: "MPI-096",
    issueType: "business-rule",
    expression: "RelatedPerson.identifier[0]",
    async prepare(index) {
      const own = [identifier()];
      const { id } = await index.store(verified({ identifier: own }));
      return creates(contact(`Patient/${id}`, { identifier: own }));
    },
  },
  {
    meaning: "CONTACT_ALREADY_PRESENT",
    code: "MPI-041",
    issueType: "duplicate",
    expression: "RelatedPerson.identifier[0]",
    async prepare(index) {
      const body = contact(await someone(index));
      await index.store(body);
      return creates(body);
    },
  },
  {
    meaning: "TOO_MANY_CONTACTS",
    code: "MPI-042",
    issueType: "business-rule",
    expression: "RelatedPerson",
    async prepare(index) {
      const patient = await someone(index);
      for (let stored = 0; stored < 3; stored++) await index.store(contact(patient));
      return creates(contact(patient));
    },
  },
  {
    meaning: "TOO_MANY_DEPENDENTS",
    code: "MPI-096",
    issueType: "business-rule",
    expression: "RelatedPerson",
    async prepare(index) {
      const { id } = await index.store(verified());
      await index.database.query("UPDATE patient SET last_dependent = 9999 WHERE id = $1", [id]);
      return creates(contact(`Patient/${id}`));
    },
  },
];
