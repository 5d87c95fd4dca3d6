import { parseIdentifierOid } from "./identifier-oid.ts";
import {
  IDENTIFIER_BASE,
  type IdentifierSystem,
  isCountry,
  parseIdentifierSystem,
} from "./identifier-system.ts";

/** What an `identifier` search asks for: a value under one system, one country, or anywhere. */
export interface IdentifierToken extends Partial<IdentifierSystem> {
  readonly value: string;
}

/** Why a token is no identifier to search for. */
export type TokenFault = "NO_SEPARATOR" | "NO_VALUE" | "UNKNOWN_SYSTEM";

/** Parses `system|value` (spec http-api.md, "Search parameters of Patient": hierarchical, OID form too). */
export function parseIdentifierToken(token: string): IdentifierToken | TokenFault {
  const separator = token.indexOf("|");
  if (separator < 0) return "NO_SEPARATOR";
  const value = token.slice(separator + 1).trim();
  if (value === "") return "NO_VALUE";
  const scope = parseScope(token.slice(0, separator));
  return scope ? { ...scope, value } : "UNKNOWN_SYSTEM";
}

function parseScope(uri: string): Partial<IdentifierSystem> | undefined {
  if (uri.startsWith("urn:oid:")) return parseIdentifierOid(uri.slice("urn:oid:".length));
  if (uri === IDENTIFIER_BASE) return {};
  const exact = parseIdentifierSystem(uri);
  if (exact) return exact;
  const country = uri.startsWith(`${IDENTIFIER_BASE}/`) ? uri.slice(IDENTIFIER_BASE.length + 1) : "";
  return isCountry(country) ? { country } : undefined;
}

/** An Estonian personal code as one searches for it. */
export function personalCodeToken(value: string): IdentifierToken {
  return { country: "est", type: "ni", value };
}

/** Whether it is an Estonian personal code that is searched for, by its own system. */
export function isPersonalCodeToken({ country, type }: IdentifierToken): boolean {
  return country === "est" && type === "ni";
}

/** An identifier as one searches for it; undefined for one of no known system, or without a value. */
export function identifierTokenOf({
  system,
  value,
}: {
  readonly system?: string | undefined;
  readonly value?: string | undefined;
}): IdentifierToken | undefined {
  const known = parseIdentifierSystem(system ?? "");
  return known && value !== undefined ? { ...known, value } : undefined;
}
