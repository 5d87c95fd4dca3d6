import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { GENDERS } from "../../content-rules/index.ts";
import { isEstonianPersonalCode, parseIdentifierSystem } from "../../identifiers/index.ts";
import { nameSpellings } from "../names/words.ts";
import { commonBlockKey } from "./block-key.ts";

/** The criteria of Patient/$foreign by which a patient is found exactly, within the patients of a country. */
export const foreignKey = {
  /** A patient is in one of these for each of its countries, whether its sex is known or not. */
  gender: (country: string, gender = "") => commonBlockKey("foreign-gender", country, gender),
  name: (country: string, part: NameOf, form: string) => commonBlockKey("foreign-name", country, part, form),
} as const;

/** Of all patients of a country each has one of these. */
export function countryKeys(country: string): bigint[] {
  return [...GENDERS.map((gender) => foreignKey.gender(country, gender)), foreignKey.gender(country)];
}

export type NameOf = "given" | "family";

/** The forms of the names of a patient. */
export type NameForms = Readonly<Record<NameOf, readonly string[]>>;

const MOST_NAMES = 5;
/** Of one name. */
const MOST_FORMS = 12;

/** Countries of a foreign patient's identifiers, ISO 3166 alpha-3 in small letters; none for Estonian and unknown patients. */
export function foreignCountries({ identifier }: Pick<Patient, "identifier">): string[] {
  if (identifier.some(({ system }) => isEstonianPersonalCode(system))) return [];
  const countries = identifier.flatMap(({ system }) => parseIdentifierSystem(system ?? "")?.country ?? []);
  return countries.some((country) => country !== "est") ? [...new Set(countries)] : [];
}

/** What a name is compared with: all of it, each given name of several, and each word. */
export function nameForms({ name }: Pick<Patient, "name">): NameForms {
  const names = name.slice(0, MOST_NAMES);
  return {
    family: formsOf(names.map(({ family = "" }) => [family])),
    given: formsOf(names.map(({ given }) => [given.join(" "), ...given])),
  };
}

/** A searched name in the forms in which it is compared, one for each spelling; none when it has no letter. */
export function soughtForms(text: string): string[] {
  return nameSpellings(text)
    .filter((words) => words.length > 0)
    .map((words) => words.join(" "));
}

/** The blocks in which $foreign finds a patient of these countries. */
export function foreignBlocks(
  { gender }: Pick<Patient, "gender">,
  countries: readonly string[],
  forms: NameForms,
): bigint[] {
  return countries.flatMap((country) => [
    foreignKey.gender(country, gender),
    ...forms.family.map((form) => foreignKey.name(country, "family", form)),
    ...forms.given.map((form) => foreignKey.name(country, "given", form)),
  ]);
}

function formsOf(names: readonly (readonly string[])[]): string[] {
  return [...new Set(names.flatMap(formsOfName))];
}

function formsOfName(texts: readonly string[]): string[] {
  const spellings = texts.flatMap(nameSpellings).filter((words) => words.length > 0);
  const wholes = spellings.map((words) => words.join(" "));
  return [...new Set([...wholes, ...spellings.flat()])].slice(0, MOST_FORMS);
}
