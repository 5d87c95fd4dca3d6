import { isDay } from "../time/calendar.ts";

const FIRST_WEIGHTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1];
const SECOND_WEIGHTS = [3, 4, 5, 6, 7, 8, 9, 1, 2, 3];

/**
 * Whether a text is an Estonian personal code (spec rules.md, "Identifiers"): sex and century, a date that
 * exists, a serial and the check digit.
 */
export function isPersonalCode(code: string): boolean {
  return (
    /^[1-8]\d{10}$/.test(code) &&
    personalCodeBirthDate(code) !== undefined &&
    checkDigit(code) === Number(code[10])
  );
}

/** The birth date (YYYY-MM-DD) that the digits of a code name, undefined when there is no such day. */
export function personalCodeBirthDate(code: string): string | undefined {
  const century = 1800 + Math.floor((Number(code[0]) - 1) / 2) * 100;
  const year = century + Number(code.slice(1, 3));
  const date = `${year}-${code.slice(3, 5)}-${code.slice(5, 7)}`;
  return isDay(date) ? date : undefined;
}

/** The check digit that belongs to the first ten digits. */
export function checkDigit(digits: string): number {
  const first = remainder(digits, FIRST_WEIGHTS);
  if (first < 10) return first;
  const second = remainder(digits, SECOND_WEIGHTS);
  return second < 10 ? second : 0;
}

function remainder(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, position) => sum + weight * Number(digits[position]), 0) % 11;
}
