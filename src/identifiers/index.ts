export { NATIONAL_CODE_DEMANDED } from "./countries.ts";
export {
  IDENTIFIER_BASE,
  type IdentifierSystem,
  isCountry,
  isEstonianPersonalCode,
  parseIdentifierSystem,
} from "./identifier-system.ts";
export {
  type IdentifierToken,
  identifierTokenOf,
  isPersonalCodeToken,
  parseIdentifierToken,
  personalCodeToken,
  type TokenFault,
} from "./identifier-token.ts";
export { checkDigit, isPersonalCode, personalCodeBirthDate } from "./personal-code.ts";
