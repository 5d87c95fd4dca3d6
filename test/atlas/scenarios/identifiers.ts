import { defaultErrorSystems } from "../../../src/errors/index.ts";
import { identifier, PID, unknown, verified, without } from "../people.ts";
import { creates, searches, updates } from "../requests.ts";
import type { Scenario } from "../scenario.ts";

/** Identifiers of a patient: their systems, personal codes, uniqueness, and what may become of them. */
export const identifierScenarios: readonly Scenario[] = [
  {
    meaning: "PATIENT_ALREADY_EXISTS",
    code: "MPI-010",
    issueType: "duplicate",
    expression: "Patient.identifier",
    async prepare(index) {
      const taken = identifier();
      await index.store(verified({ identifier: [taken] }));
      return creates(verified({ identifier: [identifier("swe/ni"), taken] }));
    },
  },
  {
    meaning: "IDENTIFIERS_OF_SEVERAL_PATIENTS",
    code: "MPI-017",
    issueType: "multiple-matches",
    expression: "Patient.identifier",
    async prepare(index) {
      const [one, other] = [identifier(), identifier("swe/ni")];
      await index.store(verified({ identifier: [one] }));
      await index.store(verified({ identifier: [other] }));
      return creates(verified({ identifier: [one, other] }));
    },
  },
  {
    meaning: "IDENTIFIERS_OF_SEVERAL_PATIENTS",
    code: "MPI-017",
    issueType: "multiple-matches",
    expression: "Patient.identifier",
    async prepare(index) {
      const taken = identifier();
      await index.store(verified({ identifier: [taken] }));
      const own = [identifier("swe/ni")];
      const { id } = await index.store(verified({ identifier: own }));
      return updates(id, verified({ identifier: [...own, taken] }));
    },
  },
  {
    meaning: "IDENTIFIER_REQUIRED",
    code: "MPI-016",
    issueType: "required",
    expression: "Patient.identifier",
    prepare: () => creates(without(verified(), "identifier")),
  },
  {
    meaning: "IDENTIFIER_SYSTEM_UNKNOWN",
    code: "MPI-025",
    issueType: "code-invalid",
    expression: "Patient.identifier[1].system",
    prepare: () => creates(verified({ identifier: [identifier(), identifier("fin/library-card")] })),
  },
  {
    meaning: "IDENTIFIER_SYSTEM_PREFIX_WRONG",
    code: "MPI-025.01",
    issueType: "value",
    expression: "Patient.identifier[0].system",
    prepare: () => creates(verified({ identifier: [{ system: "passport:fin", value: "X1" }] })),
  },
  {
    meaning: "INTERNAL_IDENTIFIER_NOT_ACCEPTED",
    code: "MPI-056",
    issueType: "business-rule",
    expression: "Patient.identifier[1].system",
    prepare: () =>
      creates(verified({ identifier: [identifier(), { system: defaultErrorSystems.MPI, value: "7" }] })),
  },
  {
    meaning: "ESTONIAN_PATIENT_NOT_CREATABLE",
    code: "MPI-050",
    issueType: "business-rule",
    expression: "Patient.identifier[0]",
    prepare: () => creates(verified({ identifier: [{ system: `${PID}/est/ni`, value: "38001085718" }] })),
  },
  {
    meaning: "PATIENT_PERSONAL_CODE_INVALID",
    code: "MPI-090",
    issueType: "value",
    expression: "Patient.identifier[0].value",
    prepare: () => creates(verified({ identifier: [{ system: `${PID}/est/ni`, value: "38001085719" }] })),
  },
  {
    meaning: "REQUEST_PERSONAL_CODE_INVALID",
    code: "MPI-044",
    issueType: "value",
    expression: "http.identifier",
    prepare: () => searches("Patient", ["identifier", `${PID}/est/ni|38001085719`]),
  },
  {
    meaning: "REQUEST_PERSONAL_CODE_INVALID",
    code: "MPI-044",
    issueType: "value",
    expression: "http.patient-identifier",
    prepare: () =>
      searches("Patient", [
        "patient-identifier",
        `${PID}/fin/ni|1,urn:oid:1.3.6.1.4.1.28284.6.2.2.1|3800108571`,
      ]),
  },
  {
    meaning: "DOCUMENT_NEEDS_NATIONAL_CODE",
    code: "MPI-070",
    issueType: "required",
    expression: "Patient.identifier[1]",
    prepare: () => creates(verified({ identifier: [identifier(), identifier("lva/ppn")] })),
  },
  {
    meaning: "IDENTIFIER_REMOVED",
    code: "MPI-096",
    issueType: "business-rule",
    expression: "Patient.identifier",
    async prepare(index) {
      const kept = identifier();
      const { id } = await index.store(verified({ identifier: [kept, identifier("swe/ni")] }));
      return updates(id, verified({ identifier: [kept] }));
    },
  },
  {
    meaning: "IDENTIFIER_CHANGED",
    code: "MPI-096",
    issueType: "business-rule",
    expression: "Patient.identifier[0].value",
    async prepare(index) {
      const { id } = await index.store(unknown());
      return updates(id, unknown());
    },
  },
  {
    meaning: "ELEMENT_REPEATED_TOO_OFTEN",
    code: "MPI-096",
    issueType: "structure",
    expression: "Patient.identifier[1]",
    prepare() {
      const twice = identifier();
      return creates(verified({ identifier: [twice, { ...twice, use: "old" }] }));
    },
  },
];
