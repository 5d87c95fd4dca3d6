import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { GENDERS } from "../../content-rules/index.ts";
import { atParameter, type Fault, fault } from "../../errors/index.ts";
import { isCountry } from "../../identifiers/index.ts";
import { type ParameterRules, readParameters, unescaped, unsuitable } from "../../search/index.ts";
import { daySpan } from "../../time/fhir-date.ts";
import { type NameOf, soughtForms } from "../blocking/foreign-blocks.ts";
import { contactOf } from "../comparison/person.ts";

/** What Patient/$foreign asks for; all of it must hold. */
export interface ForeignSearch {
  /** ISO 3166 alpha-3, small letters. */
  readonly country: string;
  /** Of each part the alternatives, as names are compared; no condition when empty. */
  readonly names: Readonly<Record<NameOf, readonly string[]>>;
  readonly birthDate: string | undefined;
  readonly gender: string | undefined;
  readonly telecom: string | undefined;
}

type Draft = { -readonly [Key in Exclude<keyof ForeignSearch, "names">]: ForeignSearch[Key] } & {
  readonly names: Record<NameOf, string[]>;
};

const COUNTRY = "identifier-country";
const COUNTRY_NAMES: ReadonlySet<string> = new Set([COUNTRY, "identifier_country"]);
const MOST_ALTERNATIVES = 20;

/** The rules where the country's parameter is called so. */
const rulesWith = (country: string): ParameterRules<Draft> => ({
  [country]: { criterion: true, read: ([value = ""], draft) => readCountry(country, value, draft) },
  given: { criterion: true, manyValues: true, read: (values, draft) => readNames("given", values, draft) },
  family: { criterion: true, manyValues: true, read: (values, draft) => readNames("family", values, draft) },
  birthdate: { criterion: true, read: ([value = ""], draft) => readBirthDate(value, draft) },
  gender: { criterion: true, read: ([value = ""], draft) => readGender(value, draft) },
  telecom: { criterion: true, read: ([value = ""], draft) => readTelecom(value, draft) },
});

/** Understands the parameters (spec http-api.md, Patient/$foreign), or says everything that is wrong with them. */
export function parseForeignSearch(given: readonly SearchParameter[]): ForeignSearch | readonly Fault[] {
  const stated = given.filter(({ name, value }) => !COUNTRY_NAMES.has(name) || value !== "");
  // Both names mean one parameter: what is wrong with it is said of the name that it is given by.
  const country = stated.find(({ name }) => COUNTRY_NAMES.has(name))?.name;
  const parameters = stated.map((parameter) =>
    country !== undefined && COUNTRY_NAMES.has(parameter.name) ? { ...parameter, name: country } : parameter,
  );
  const draft: Draft = {
    country: "",
    names: { given: [], family: [] },
    birthDate: undefined,
    gender: undefined,
    telecom: undefined,
  };
  const missing =
    country === undefined ? [fault("PARAMETER_REQUIRED", { param: COUNTRY }, atParameter(COUNTRY))] : [];
  const { faults } =
    parameters.length > 0
      ? readParameters(rulesWith(country ?? COUNTRY), parameters, draft, false)
      : { faults: [] as readonly Fault[] };
  return missing.length + faults.length > 0 ? [...missing, ...faults] : draft;
}

function readCountry(param: string, value: string, draft: Draft): Fault | undefined {
  draft.country = value.trim().toLowerCase();
  return isCountry(draft.country) ? undefined : unsuitable(param);
}

function readNames(part: NameOf, values: readonly string[], draft: Draft): Fault | undefined {
  const forms = values.map((value) => soughtForms(unescaped(value)));
  if (forms.some(({ length }) => length === 0) || forms.length > MOST_ALTERNATIVES) return unsuitable(part);
  draft.names[part] = forms.flat();
  return undefined;
}

function readBirthDate(value: string, draft: Draft): Fault | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value) || !daySpan(value)) {
    return fault("BIRTHDATE_FORMAT_WRONG", {}, { expression: ["http.birthdate"] });
  }
  draft.birthDate = value;
  return undefined;
}

function readGender(value: string, draft: Draft): Fault | undefined {
  draft.gender = value.toLowerCase();
  return GENDERS.includes(draft.gender) ? undefined : unsuitable("gender");
}

/** A token may say its system before a bar: phone|+358401234567. A plus that a query does not encode is a space in it. */
function readTelecom(value: string, draft: Draft): Fault | undefined {
  const text = unescaped(value.slice(value.indexOf("|") + 1)).replace(/^ (?=\d)/, "+");
  draft.telecom = contactOf({ value: text });
  return draft.telecom === undefined ? unsuitable("telecom") : undefined;
}
