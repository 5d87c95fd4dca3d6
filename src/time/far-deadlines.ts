/** The longest time that a timer can wait, in milliseconds: one that is told to wait longer does not wait at all. */
export const LONGEST_TIMER = 2 ** 31 - 1;

// Of smaller units the eight digits that gRPC allows are always less.
const GRPC_UNITS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000 };

/**
 * Takes a deadline that is more than 24 days away out of the headers of a call (gRPC, gRPC-Web or Connect): the call has
 * none then, which is the same to its caller. What is no deadline is left for whoever refuses it.
 */
export function forgetFarDeadline(headers: Record<string, unknown>): void {
  const [, amount, unit = ""] = /^(\d{1,8})([HMS])$/.exec(String(headers["grpc-timeout"])) ?? [];
  if (Number(amount) * (GRPC_UNITS[unit] ?? 0) > LONGEST_TIMER) delete headers["grpc-timeout"];
  const [milliseconds] = /^\d{1,10}$/.exec(String(headers["connect-timeout-ms"])) ?? [];
  if (Number(milliseconds) > LONGEST_TIMER) delete headers["connect-timeout-ms"];
}
