/** How far two birth dates agree. */
export type BirthDateLevel =
  | "exact"
  | "swapped"
  | "onePartDiffers"
  | "sameMonth"
  | "sameYear"
  | "different"
  | "missing";

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
  return agreeing === 2 ? "onePartDiffers" : "different";
}

/** A whole date with day and month the other way round, which is a date only if the day can be a month. */
export function swapped(date: string): string | undefined {
  const [, year, month, day = ""] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  return year !== undefined && Number(day) <= 12 ? `${year}-${day}-${month}` : undefined;
}
