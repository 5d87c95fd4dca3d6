/** A search parameter of FHIR as the CapabilityStatement shows it. */
export interface SearchParameterEntry {
  readonly name: string;
  readonly type: "token" | "date" | "string" | "reference" | "special" | "uri";
  readonly documentation: string;
  /** It may be given several times. */
  readonly repeatable?: true;
  /** FHIRPath of what it compares with; none where that is no element. */
  readonly expression?: string;
  /** The parameter of R5 that it is one of. */
  readonly derivedFrom?: string;
}

const RESULT = ["_sort", "_count", "_page", "_elements", "_summary", "_total"];
const PAGES_ALONE = ["_count", "_page"];
const OF_DEFINITIONS = [...PAGES_ALONE, "_summary"];

const R5 = "http://hl7.org/fhir/SearchParameter/";

/** Of definitions: each is one of those that a type of definitions can be searched by. */
function definitionParameters(
  type: string,
  others: readonly Pick<SearchParameterEntry, "name" | "type" | "documentation">[],
): SearchParameterEntry[] {
  return [
    { name: "_id", type: "token", documentation: "Id of a definition.", expression: `${type}.id` },
    { name: "url", type: "uri", documentation: "Canonical URL of a definition.", expression: `${type}.url` },
    ...others.map((other) => ({ ...other, expression: `${type}.${other.name}` })),
  ];
}

/** How a patient is named, by reference or by the chained identifier. */
function patientParameters(name: string, expression: string): SearchParameterEntry[] {
  return [
    { name, type: "reference", documentation: "The patient, such as Patient/7.", expression },
    {
      name: `${name}.identifier`,
      type: "token",
      documentation: "system|value of an identifier of the patient; means the whole linked group.",
    },
  ];
}

/** The search parameters of each resource type that narrow a search. */
export const searchParametersByType: Readonly<Record<string, readonly SearchParameterEntry[]>> = {
  StructureDefinition: definitionParameters("StructureDefinition", [
    { name: "type", type: "uri", documentation: "The resource type that a definition is of." },
  ]),
  OperationDefinition: definitionParameters("OperationDefinition", [
    { name: "code", type: "token", documentation: "Name of the operation, without the dollar sign." },
  ]),
  SearchParameter: definitionParameters("SearchParameter", [
    { name: "code", type: "token", documentation: "Name of the parameter in a search." },
    { name: "base", type: "token", documentation: "The resource type that is searched." },
  ]),
  AuditEvent: [
    ...patientParameters("patient", "AuditEvent.patient"),
    {
      name: "date",
      type: "date",
      documentation: "When it was recorded, with an optional prefix; repeatable as AND.",
      repeatable: true,
      expression: "AuditEvent.recorded",
      derivedFrom: `${R5}clinical-date`,
    },
  ],
  RelatedPerson: [
    ...patientParameters("patient", "RelatedPerson.patient"),
    { name: "active", type: "token", documentation: "true or false.", expression: "RelatedPerson.active" },
  ],
  Observation: [
    ...patientParameters("patient", "Observation.subject.where(resolve() is Patient)"),
    ...patientParameters("subject", "Observation.subject"),
    {
      name: "code",
      type: "token",
      documentation: "Codes, separated by commas; any of them fits.",
      expression: "Observation.code",
      derivedFrom: `${R5}clinical-code`,
    },
  ],
  Patient: [
    {
      name: "_id",
      type: "token",
      documentation: "Ids of patients, separated by commas.",
      expression: "Patient.id",
      derivedFrom: `${R5}Resource-id`,
    },
    {
      name: "identifier",
      type: "token",
      documentation:
        "system|value. The system may stop at a country or at any document: https://fhir.ee/sid/pid/fin, https://fhir.ee/sid/pid; urn:oid systems are understood too.",
      expression: "Patient.identifier",
      derivedFrom: `${R5}Patient-identifier`,
    },
    {
      name: "patient-identifier",
      type: "token",
      documentation: "Look-up of many: system|value, separated by commas and repeatable.",
      repeatable: true,
      expression: "Patient.identifier",
    },
    {
      name: "birthdate",
      type: "date",
      documentation: "YYYY-MM-DD with an optional prefix; repeatable as AND.",
      repeatable: true,
      expression: "Patient.birthDate",
      derivedFrom: `${R5}individual-birthdate`,
    },
    {
      name: "external-system-presence",
      type: "token",
      documentation: "URI of the population register: patients that it knows. Not alone.",
    },
    {
      name: "deceased",
      type: "token",
      documentation: "true or false.",
      expression: "Patient.deceased.exists() and Patient.deceased != false",
      derivedFrom: `${R5}Patient-deceased`,
    },
    {
      name: "active",
      type: "token",
      documentation: "true or false; who does not say it is found by neither.",
      expression: "Patient.active",
      derivedFrom: `${R5}Patient-active`,
    },
    {
      name: "_lastUpdated",
      type: "date",
      documentation: "When the current version was stored, with an optional prefix; repeatable as AND.",
      repeatable: true,
      expression: "Patient.meta.lastUpdated",
      derivedFrom: `${R5}Resource-lastUpdated`,
    },
  ],
};

/** What shapes the result of a search; the audit trail and definitions are shown in their own order, and whole. */
export function resultParametersOf(type: string): readonly string[] {
  if (type === "AuditEvent") return PAGES_ALONE;
  return definitionTypes.has(type) ? OF_DEFINITIONS : RESULT;
}

const definitionTypes: ReadonlySet<string> = new Set([
  "StructureDefinition",
  "OperationDefinition",
  "SearchParameter",
]);
