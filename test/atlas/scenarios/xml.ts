import { postsXml } from "../requests.ts";
import type { Scenario } from "../scenario.ts";

const invalid = { code: "MPI-096", issueType: "structure", only: "http" } as const;

/** Bodies that can be wrong only because they are XML. */
export const xmlScenarios: readonly Scenario[] = [
  {
    meaning: "XML_MALFORMED",
    code: "MPI-007",
    issueType: "structure",
    only: "http",
    prepare: () => ({ http: postsXml("Patient", '<Patient xmlns="http://hl7.org/fhir">') }),
  },
  {
    ...invalid,
    meaning: "ELEMENT_OUT_OF_ORDER",
    expression: "Patient.active",
    prepare: () => ({ http: postsPatient('<gender value="male"/><active value="true"/>') }),
  },
  {
    ...invalid,
    meaning: "NAMESPACE_WRONG",
    expression: "Patient.active",
    prepare: () => ({ http: postsPatient('<active xmlns="urn:uuid:0" value="true"/>') }),
  },
  {
    ...invalid,
    meaning: "TEXT_NOT_ALLOWED",
    expression: "Patient.gender",
    prepare: () => ({ http: postsPatient("<gender>male</gender>") }),
  },
];

function postsPatient(content: string) {
  return postsXml("Patient", `<Patient xmlns="http://hl7.org/fhir">${content}</Patient>`);
}
