import { editDistance } from "../names/edit-distance.ts";

/** How far two birth dates agree. */
export type BirthDateLevel =
  | "exact"
  | "swapped"
  | "onePartDiffers"
  | "generation"
  | "sameMonth"
  | "sameYear"
  | "different"
  | "missing";

/** So many years lie between parents and children at least. */
const GENERATION = 15;

/** Compares dates as far as both are known (YYYY, YYYY-MM, YYYY-MM-DD). */
export function compareBirthDates(one: string | undefined, other: string | undefined): BirthDateLevel {
  if (one === undefined || other === undefined) return "missing";
  const [parts, others] = [one.split("-"), other.split("-")];
  const known = Math.min(parts.length, others.length);
  const agreeing = parts.slice(0, known).filter((part, place) => part === others[place]).length;
  if (known < 3) {
    if (agreeing < known) return "different";
    return known === 2 ? "sameMonth" : "sameYear";
  }
  if (agreeing === 3) return "exact";
  if (swapped(one) === other) return "swapped";
  if (agreeing < 2) return "different";
  return parts[0] === others[0] ? "onePartDiffers" : compareYears(parts[0] ?? "", others[0] ?? "");
}

/** Years of birth that differ, with the same day and month: another's birthday unless it is a typing error. */
function compareYears(one: string, other: string): BirthDateLevel {
  if (Math.abs(Number(one) - Number(other)) >= GENERATION) return "generation";
  return editDistance(one, other, 1) === 1 ? "onePartDiffers" : "different";
}

/** A whole date with day and month the other way round, which is a date only if the day can be a month. */
export function swapped(date: string): string | undefined {
  const [, year, month, day = ""] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  return year !== undefined && Number(day) <= 12 ? `${year}-${day}-${month}` : undefined;
}
