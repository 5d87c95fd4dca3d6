import { type DaySpan, daySpan, type InstantSpan, parameterSpan } from "../time/fhir-date.ts";

/** A FHIR date comparison: the span of the parameter and its prefix. */
export interface Comparison<Span> {
  readonly prefix: Prefix;
  readonly span: Span;
}

export type Prefix = "eq" | "ne" | "gt" | "ge" | "lt" | "le" | "sa" | "eb";

const PREFIXED = /^(eq|ne|gt|ge|lt|le|sa|eb)?(.+)$/;

/** A comparison with a day, YYYY-MM-DD alone (MPI-076); `eq` without a prefix. */
export function parseDateComparison(text: string): Comparison<DaySpan> | undefined {
  const { prefix, value } = split(text);
  const span = /^\d{4}-\d{2}-\d{2}$/.test(value) ? daySpan(value) : undefined;
  return span && { prefix, span };
}

/** A comparison with a date or time of any precision; without an offset it is of Europe/Tallinn. */
export function parseInstantComparison(text: string): Comparison<InstantSpan> | undefined {
  const { prefix, value } = split(text);
  const span = parameterSpan(value);
  return span && { prefix, span };
}

function split(text: string): { prefix: Prefix; value: string } {
  const [, prefix = "eq", value = ""] = PREFIXED.exec(text) ?? [];
  return { prefix: prefix as Prefix, value };
}
