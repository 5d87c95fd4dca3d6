import countries from "i18n-iso-countries";

const { toAlpha2 } = countries;

/** FHIR JSON as JSON.parse gives it. */
export type Json = Record<string, unknown>;

const PROFILE = "https://fhir.ee/mpi/StructureDefinition/ee-mpi-patient-verified";

/**
 * The edit by which an official R5 example of Patient becomes valid under the rules of the index
 * (docs/fhir-mapping.md, "The official examples").
 */
export function editedExample(example: Json, passport: string): Json {
  return {
    ...example,
    meta: { ...(example["meta"] as Json | undefined), profile: [PROFILE] },
    identifier: [{ system: "https://fhir.ee/sid/pid/fin/ppn", value: passport }],
    name: withOfficialName(listOf(example["name"])),
    ...(example["telecom"] !== undefined && { telecom: listOf(example["telecom"]).map(dialable) }),
    ...(example["address"] !== undefined && { address: listOf(example["address"]).map(located) }),
  };
}

/** Elements that the profiles do not process (spec rules.md, "Profiles"). */
export const notKept: readonly string[] = [
  "text",
  "maritalStatus",
  "photo",
  "contact",
  "generalPractitioner",
  "managingOrganization",
  "link",
];

function listOf(value: unknown): Json[] {
  return (value ?? []) as Json[];
}

function withOfficialName(names: readonly Json[]): Json[] {
  const completed = names.map((name) =>
    name["use"] === "official" ? { family: "Example", given: ["Example"], ...name } : name,
  );
  return names.some(({ use }) => use === "official")
    ? completed
    : [...completed, { use: "official", family: "Example", given: ["Example"] }];
}

function dialable(contactPoint: Json, index: number): Json {
  const { system = "phone" } = contactPoint;
  return system === "phone"
    ? { use: "home", ...contactPoint, system, value: `+1555000${index}` }
    : contactPoint;
}

function located(address: Json): Json {
  return { ...address, use: address["use"] ?? "home", country: toAlpha2(String(address["country"] ?? "US")) };
}
