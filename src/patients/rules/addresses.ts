import countries from "i18n-iso-countries/index.js";
import type { Address, Extension } from "#proto/patientindex/v1/datatypes_pb.ts";
import { checkPeriod, type Placed, type Report } from "../../content-rules/index.ts";
import { isNotice } from "./address-notices.ts";
import { checkRegistryIds } from "./adr-id.ts";

/** The extension that marks the official residence. */
export const OFFICIAL = "http://hl7.org/fhir/StructureDefinition/address-official";

const TYPES: ReadonlySet<string> = new Set(["postal", "physical", "both"]);
const USES: ReadonlySet<string> = new Set(["home", "work", "temp", "old", "billing"]);
const ALLOWED_TYPES = [...TYPES].join(", ");
const ALLOWED_USES = [...USES].join(", ");

/** Whether it is the official residence, which only the population register writes. */
export function isOfficialResidence({ extension }: Address): boolean {
  return extension.some(({ url, value }) => url === OFFICIAL && value.value === true);
}

/** ISO 3166 alpha-2 of a country given as alpha-2 or alpha-3 in any case; undefined when there is none. */
function countryAlpha2(given: string): string | undefined {
  // Letters of other alphabets may have these as capitals: those of ﬁ are FI.
  if (!/^[A-Za-z]{2,3}$/.test(given)) return undefined;
  const code = given.toUpperCase();
  if (code.length === 2) return countries.isValid(code) ? code : undefined;
  return countries.alpha3ToAlpha2(code);
}

/**
 * Checks an address as far as that goes without the address registry (MPI-009, MPI-011, MPI-012, MPI-019) and gives
 * it in its stored form: country as alpha-2, without the notices, which are the index's to give.
 */
export function acceptAddress({ element: given, path }: Placed<Address>, report: Report): Address {
  const { type, use = "" } = given;
  if (type !== undefined && !TYPES.has(type)) {
    report("ADDRESS_TYPE_NOT_ALLOWED", { type, allowed: ALLOWED_TYPES }, `${path}.type`);
  }
  if (!USES.has(use)) report("ADDRESS_USE_NOT_ALLOWED", { use, allowed: ALLOWED_USES }, `${path}.use`);
  checkPeriod(given.period, `${path}.period`, report);
  const country = acceptCountry(given.country, `${path}.country`, report);
  const extension = withoutNotices(given.extension);
  const address =
    country === given.country && extension === given.extension ? given : { ...given, country, extension };
  // Of the body as it was sent: a notice may stand before them, and be gone in what is stored.
  checkRegistryIds({ ...address, extension: given.extension }, path, report);
  return address;
}

function acceptCountry(given: string | undefined, path: string, report: Report): string | undefined {
  if (given === undefined) {
    report("ADDRESS_COUNTRY_MISSING", {}, path);
    return undefined;
  }
  const country = countryAlpha2(given);
  if (country === undefined) report("COUNTRY_CODE_UNKNOWN", { code: given }, path);
  return country;
}

function withoutNotices(given: Extension[]): Extension[] {
  return given.some(isNotice) ? given.filter((one) => !isNotice(one)) : given;
}
