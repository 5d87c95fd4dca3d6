import { atParameter, type Fault, fault } from "../errors/index.ts";
import {
  IDENTIFIER_BASE,
  type IdentifierToken,
  isPersonalCode,
  isPersonalCodeToken,
  parseIdentifierToken,
} from "../identifiers/index.ts";
import { unsuitable } from "./parameter-rules.ts";
import { unescaped } from "./values.ts";

/**
 * The identifier that a value of the parameter names as `system|value`, or what is wrong with it: it is none (MPI-015),
 * or an Estonian personal code that cannot be anybody's (MPI-044).
 */
export function readIdentifier(param: string, text: string): IdentifierToken | Fault {
  const bar = Math.max(0, text.indexOf("|"));
  const token = parseIdentifierToken(unescaped(text.slice(0, bar)) + text.slice(bar));
  if (typeof token === "string") return unsuitable(param);
  const value = unescaped(token.value);
  if (isPersonalCodeToken(token) && !isPersonalCode(value)) {
    return fault("REQUEST_PERSONAL_CODE_INVALID", { code: value }, atParameter(param));
  }
  return { ...token, value };
}

/** The same for a parameter of an operation, where a bare value is an Estonian personal code. */
export function readOperationIdentifier(param: string, text: string): IdentifierToken | Fault {
  return readIdentifier(param, text.includes("|") ? text : `${IDENTIFIER_BASE}/est/ni|${text}`);
}
