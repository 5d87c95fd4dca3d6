import countries from "i18n-iso-countries/index.js";
import type { IdentifierSystem } from "./identifier-system.ts";

const ROOT = "1.3.6.1.4.1.28284.6.2";
const COUNTRY_ROOT = `${ROOT}.2.16`;
const ESTONIAN: ReadonlyMap<string, string> = new Map([
  [`${ROOT}.2.1`, "ni"],
  [`${ROOT}.4.7`, "mrt"],
  [`${ROOT}.4.7.4`, "mr"],
  [`${ROOT}.2.75`, "npi"],
]);
const TYPES: ReadonlyMap<string, string> = new Map([
  ["1", "ppn"],
  ["2", "ni"],
  ["3", "cz"],
  ["4", "dl"],
]);

/**
 * The system, or the whole country, that an OID names in a search (spec rules.md, "Identifiers");
 * undefined for any other OID.
 */
export function parseIdentifierOid(oid: string): Partial<IdentifierSystem> | undefined {
  const estonian = ESTONIAN.get(oid);
  if (estonian) return { country: "est", type: estonian };
  if (!oid.startsWith(`${COUNTRY_ROOT}.`)) return undefined;
  const [numeric = "", typeNumber, ...rest] = oid.slice(COUNTRY_ROOT.length + 1).split(".");
  if (!/^\d{1,3}$/.test(numeric) || rest.length > 0) return undefined;
  const country = countries.numericToAlpha3(numeric)?.toLowerCase();
  if (!country) return undefined;
  if (typeNumber === undefined) return { country };
  const type = TYPES.get(typeNumber);
  return type ? { country, type } : undefined;
}
