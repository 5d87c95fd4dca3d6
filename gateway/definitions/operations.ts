/** A parameter of an operation, as its OperationDefinition tells it. */
export interface OperationParameter {
  readonly name: string;
  readonly use: "in" | "out";
  readonly min: number;
  readonly max: string;
  /** FHIR type. */
  readonly type: string;
  readonly documentation: string;
}

/** What an operation is, beside its place in the table of interactions. */
export interface OperationDetails {
  readonly title: string;
  readonly description: string;
  readonly affectsState: boolean;
  /** The operation of R5 that it is one of. */
  readonly base?: string;
  readonly parameters: readonly OperationParameter[];
}

function given(
  name: string,
  type: string,
  documentation: string,
  { min = 0, max = "1" }: { readonly min?: number; readonly max?: string } = {},
): OperationParameter {
  return { name, use: "in", min, max, type, documentation };
}

function answered(name: string, type: string, documentation: string): OperationParameter {
  return { name, use: "out", min: 1, max: "1", type, documentation };
}

const patient = given(
  "patient",
  "Reference",
  "The patient: a reference, or an identifier (patient.identifier=system|value, or an Estonian personal code alone).",
  { min: 1 },
);
const nocache = given("nocache", "boolean", "Ask the register, whatever was kept of its last answer.");
const observations = answered(
  "return",
  "Bundle",
  "Collection of observations, and of what there is to know about them as an OperationOutcome.",
);

/** An operation that asks a register about a patient. */
function ofRegister(
  title: string,
  description: string,
  ...parameters: readonly OperationParameter[]
): OperationDetails {
  const all = [patient, ...parameters, nocache, observations];
  return { title, description, affectsState: false, parameters: all };
}

function linking(title: string, description: string): OperationDetails {
  return {
    title,
    description,
    affectsState: true,
    parameters: [
      given("source-patient", "Reference", "The patient that is linked to the other."),
      given("source-patient-identifier", "Identifier", "The same by identifiers.", { max: "*" }),
      given("target-patient", "Reference", "The patient that the other is linked to."),
      given("target-patient-identifier", "Identifier", "The same by identifiers.", { max: "*" }),
      answered("return", "Patient", "The target."),
    ],
  };
}

/** The operations that may be offered, by name. */
export const operationDetails: Readonly<Record<string, OperationDetails>> = {
  validate: {
    title: "Validate",
    description: "Says what a creation, an update or a deletion would be refused for, and stores nothing.",
    affectsState: false,
    base: "http://hl7.org/fhir/OperationDefinition/Resource-validate",
    parameters: [
      given("resource", "Resource", "What is to be written; for an instance what is stored unless given."),
      given("mode", "code", "create (of a type), update or delete (of an instance)."),
      given("profile", "canonical", "Hold the resource to this profile, not to the one that it claims."),
      answered("return", "OperationOutcome", "Everything that is wrong; one information when nothing is."),
    ],
  },
  link: linking("Link patients", "Links a patient, with all that are linked to it, to another one."),
  unlink: linking("Unlink patients", "Undoes the link of a patient to another one."),
  lookup: {
    title: "Look up patients",
    description:
      "Finds patients by identifier in the index, or in the population register, which then stores them.",
    affectsState: true,
    parameters: [
      given("identifier", "Identifier", "system|value, or an Estonian personal code alone.", { min: 1 }),
      given(
        "source",
        "uri",
        "URI of the population register, or of the index (which it is unless given), or MPI_ERROR_SYSTEM_RR, MPI_ERROR_SYSTEM_MPI.",
      ),
      nocache,
      answered("return", "Bundle", "Collection of patients."),
    ],
  },
  match: {
    title: "Match patients",
    description: "Finds the patients that a description may be of, each with a score.",
    affectsState: false,
    base: "http://hl7.org/fhir/OperationDefinition/Patient-match",
    parameters: [
      given("resource", "Patient", "What is known of the patient.", { min: 1 }),
      given("onlyCertainMatches", "boolean", "Only those that are certain."),
      given("onlySingleMatch", "boolean", "The one that is certain, or nobody."),
      given("count", "integer", "How many at the most."),
      answered("return", "Bundle", "Searchset with a score and a match-grade for each patient."),
    ],
  },
  foreign: {
    title: "Find foreign patients",
    description: "Finds patients by documents of another country than Estonia, and by what is known of them.",
    affectsState: false,
    parameters: [
      given("identifier-country", "code", "Country of the identifiers, ISO 3166 alpha-3.", { min: 1 }),
      given("given", "string", "Given name, with up to two typing errors; alternatives separated by commas."),
      given("family", "string", "Family name, likewise."),
      given("birthdate", "date", "Day of birth."),
      given("gender", "code", "Administrative gender."),
      given("telecom", "string", "A phone number or an e-mail address."),
      answered("return", "Bundle", "Collection of patients."),
    ],
  },
  mrn: {
    title: "New medical record number",
    description: "Gives a new number for a patient who is not known by any other.",
    affectsState: false,
    parameters: [
      answered("return", "Identifier", "A new identifier of system https://fhir.ee/sid/pid/est/mr."),
    ],
  },
  name: {
    title: "Name in the population register",
    description: "The name of a patient as the population register has it.",
    affectsState: false,
    parameters: [
      patient,
      nocache,
      answered("name", "HumanName", "The name."),
      { ...answered("warning", "OperationOutcome", "That the person has died."), min: 0 },
    ],
  },
  "legal-status": ofRegister("Legal capacity", "The legal capacity of a patient, by decisions and by age."),
  "legal-guardian": ofRegister(
    "Legal guardians",
    "The guardians of a patient, or the wards.",
    given("legal-status", "code", "365569001 for the wards, 58626002 for the guardians.", { min: 1 }),
  ),
  "legal-relationship": ofRegister(
    "Legal relationships",
    "Whom a patient has custody of, and who has custody of the patient.",
    given("relationship-type", "Coding", "Only relations of this type.", { max: "*" }),
    given("custody-type", "code", "Only custody of this type; H10, H11 and H12 unless given.", { max: "*" }),
  ),
  "power-of-attorney": ofRegister(
    "Powers of attorney",
    "Rights of custody and representation.",
    given("guardian-only", "boolean", "Only guardians; of minors."),
  ),
  education: ofRegister("Education", "The highest education of a patient."),
  disability: ofRegister("Disability", "The degree of disability of a patient."),
  "incapacity-for-work": ofRegister(
    "Incapacity for work",
    "How far a patient is able to work, by the decision in force.",
  ),
  occupation: ofRegister("Occupations", "The jobs of a patient."),
};

/** How else a query may call a parameter. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  patient: ["patient.identifier", "patient:identifier"],
  identifier: ["identifier.value"],
  "identifier-country": ["identifier_country"],
};

/** The parameters that an operation takes, by all their names. */
export function parametersByName(operation: string): ReadonlyMap<string, OperationParameter> {
  const given = operationDetails[operation]?.parameters.filter(({ use }) => use === "in") ?? [];
  return new Map(
    given.flatMap((one) => [one.name, ...(otherNames[one.name] ?? [])].map((name) => [name, one] as const)),
  );
}
