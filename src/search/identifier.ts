import { type IdentifierToken, parseIdentifierToken } from "../identifiers/index.ts";
import { unescaped } from "./values.ts";

/** The identifier that a `system|value` parameter names; undefined for what is none. */
export function parseIdentifier(text: string): IdentifierToken | undefined {
  const token = parseIdentifierToken(text);
  return typeof token === "string" ? undefined : { ...token, value: unescaped(token.value) };
}
