/** A search parameter of FHIR as the CapabilityStatement shows it. */
export interface SearchParameterEntry {
  readonly name: string;
  readonly type: "token" | "date" | "string" | "reference" | "special" | "uri";
  readonly documentation: string;
}

/** How a patient is named, by reference or by the chained identifier. */
function patientParameters(name: string): SearchParameterEntry[] {
  return [
    { name, type: "reference", documentation: "The patient, such as Patient/7." },
    {
      name: `${name}.identifier`,
      type: "token",
      documentation: "system|value of an identifier of the patient; means the whole linked group.",
    },
  ];
}

/** The search parameters of each resource type that narrow a search. */
export const searchParametersByType: Readonly<Record<string, readonly SearchParameterEntry[]>> = {
  StructureDefinition: [
    { name: "_id", type: "token", documentation: "Id of a definition." },
    { name: "url", type: "uri", documentation: "Canonical URL of a definition." },
    { name: "type", type: "uri", documentation: "The resource type that a definition is of." },
  ],
  RelatedPerson: [
    ...patientParameters("patient"),
    { name: "active", type: "token", documentation: "true or false." },
  ],
  Observation: [
    ...patientParameters("patient"),
    ...patientParameters("subject"),
    { name: "code", type: "token", documentation: "Codes, separated by commas; any of them fits." },
  ],
  Patient: [
    { name: "_id", type: "token", documentation: "Ids of patients, separated by commas." },
    {
      name: "identifier",
      type: "token",
      documentation:
        "system|value. The system may stop at a country or at any document: https://fhir.ee/sid/pid/fin, https://fhir.ee/sid/pid; urn:oid systems are understood too.",
    },
    {
      name: "patient-identifier",
      type: "token",
      documentation: "Look-up of many: system|value, separated by commas and repeatable.",
    },
    {
      name: "birthdate",
      type: "date",
      documentation: "YYYY-MM-DD with an optional prefix; repeatable as AND.",
    },
    {
      name: "external-system-presence",
      type: "token",
      documentation: "URI of the population register: patients that it knows. Not alone.",
    },
    { name: "deceased", type: "token", documentation: "true or false." },
    { name: "active", type: "token", documentation: "true or false." },
    {
      name: "_lastUpdated",
      type: "date",
      documentation: "When the current version was stored, with an optional prefix; repeatable as AND.",
    },
  ],
};
