const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const LONG_DAY = "(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)";
const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const TIME = "\\d\\d:\\d\\d:\\d\\d";

/** The form that is written, and the older of those that must be read. */
const IN_GMT = new RegExp(
  `^(?:${DAY}, \\d\\d ${MONTH} \\d{4}|${LONG_DAY}, \\d\\d-${MONTH}-\\d\\d) ${TIME} GMT$`,
);
/** That of C's asctime, which does not name its GMT. */
const ASCTIME = new RegExp(`^${DAY} ${MONTH} [ \\d]\\d ${TIME} \\d{4}$`);

/**
 * Milliseconds since 1970 of an HTTP-date in one of its three forms (RFC 9110, 5.6.7). Undefined of anything else, which
 * is ignored: `Date.parse` alone would take much of it for a date, a bare 5 for a day in May 2001.
 */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (IN_GMT.test(text)) return soundInstant(text);
  return ASCTIME.test(text) ? soundInstant(`${text} GMT`) : undefined;
}

function soundInstant(text: string): number | undefined {
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}
