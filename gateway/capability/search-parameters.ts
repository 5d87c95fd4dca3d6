/** A search parameter of FHIR as the CapabilityStatement shows it. */
export interface SearchParameterEntry {
  readonly name: string;
  readonly type: "token" | "date" | "string" | "reference" | "special";
  readonly documentation: string;
}

/** The search parameters of each resource type that narrow a search. */
export const searchParametersByType: Readonly<Record<string, readonly SearchParameterEntry[]>> = {
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
    { name: "deceased", type: "token", documentation: "true or false." },
    { name: "active", type: "token", documentation: "true or false." },
    {
      name: "_lastUpdated",
      type: "date",
      documentation: "When the current version was stored, with an optional prefix; repeatable as AND.",
    },
  ],
};
