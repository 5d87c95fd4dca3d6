/** In place of what is no code. */
const UNTOLD = "?";
/** One word, as codes and addresses of systems of codes are. */
const WORD = /^[\w.:/+-]{1,200}$/;
/** Codes of registers and databases have up to five digits in a row; numbers of people and of their documents have more. */
const LONG_NUMBER = /\d{6}/;

/**
 * What another service calls its code, or its system of codes, as it may be logged and kept: its word is taken for that
 * unless it is a text or a long number, which may be a name or an identifier.
 */
export function toldCode(code: string): string {
  return WORD.test(code) && !LONG_NUMBER.test(code) ? code : UNTOLD;
}
