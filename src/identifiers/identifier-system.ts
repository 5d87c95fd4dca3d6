import countries from "i18n-iso-countries/index.js";
import { DRIVING_LICENCE_COUNTRIES, IDENTITY_CARD_COUNTRIES, NATIONAL_CODE_COUNTRIES } from "./countries.ts";

/** A known identifier system, taken apart (spec rules.md, "Identifiers"). */
export interface IdentifierSystem {
  /** ISO 3166 alpha-3, lower case. */
  readonly country: string;
  /** ppn, ni, cz, dl; for Estonia also mr, mrt, npi and prn/{registry code}[/…]. */
  readonly type: string;
}

export const IDENTIFIER_BASE = "https://fhir.ee/sid/pid";
const ESTONIAN_PERSONAL_CODE = `${IDENTIFIER_BASE}/est/ni`;
const ESTONIAN_TYPES: ReadonlySet<string> = new Set(["ni", "ppn", "mr", "mrt", "npi"]);
/**
 * The further path is the institution's own; one longer than this is nobody's, and no key of an index. With a bar, which
 * no URI has, `system|value` would be another identifier's.
 */
const INSTITUTION_NUMBER = /^prn\/\d{8}(\/[^|]{1,200})?$/;

/** Systems by their URIs: each patient that is read names some, and there are few. */
const parsed = new Map<string, IdentifierSystem>();
const MOST_PARSED = 1000;

/** The system a URI names, or undefined when it is none of the known ones. */
export function parseIdentifierSystem(uri: string): IdentifierSystem | undefined {
  const known = parsed.get(uri);
  if (known) return known;
  const system = parse(uri);
  // Texts that are no system are not remembered: they may be as long as a body, and differ each time.
  if (system && parsed.size < MOST_PARSED) parsed.set(uri, system);
  return system;
}

function parse(uri: string): IdentifierSystem | undefined {
  if (!uri.startsWith(`${IDENTIFIER_BASE}/`)) return undefined;
  const path = uri.slice(IDENTIFIER_BASE.length + 1);
  const slash = path.indexOf("/");
  if (slash < 0) return undefined;
  const system = { country: path.slice(0, slash), type: path.slice(slash + 1) };
  return isKnown(system) ? system : undefined;
}

/** Whether the country code is one of ISO 3166 alpha-3, in lower case. */
export function isCountry(alpha3: string): boolean {
  return /^[a-z]{3}$/.test(alpha3) && countries.alpha3ToNumeric(alpha3.toUpperCase()) !== undefined;
}

function isKnown({ country, type }: IdentifierSystem): boolean {
  if (country === "est") return ESTONIAN_TYPES.has(type) || INSTITUTION_NUMBER.test(type);
  switch (type) {
    case "ppn":
      return isCountry(country);
    case "ni":
      return NATIONAL_CODE_COUNTRIES.has(country);
    case "cz":
      return IDENTITY_CARD_COUNTRIES.has(country);
    case "dl":
      return DRIVING_LICENCE_COUNTRIES.has(country);
    default:
      return false;
  }
}

export function isEstonianPersonalCode(uri: string | undefined): boolean {
  return uri === ESTONIAN_PERSONAL_CODE;
}
