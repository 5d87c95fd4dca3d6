import type { Logger } from "pino";
import { causesOf } from "../errors/index.ts";
import { repeated } from "../jobs/index.ts";

/** What time it is for the database. */
type AskTime = () => Promise<Date>;

const HOUR_MS = 3_600_000;
/** Machines that ask a time server differ by hundredths. */
const MOST_SECONDS = 2;

/**
 * By how many seconds the clock of this process is ahead of that of the database, or behind it (less than 0); 0 where the
 * time that the answer took says no more.
 */
export async function secondsAhead(ask: AskTime, now: () => number = Date.now): Promise<number> {
  const askedAt = now();
  const theirs = (await ask()).getTime();
  const answeredAt = now();
  if (askedAt > theirs) return (askedAt - theirs) / 1000;
  return Math.min(0, answeredAt - theirs) / 1000;
}

/**
 * Warns, now and once an hour, when the clocks differ: a version has the time of the process that writes it. Answers with how
 * to stop.
 */
export async function watchClock(
  ask: AskTime,
  log: Pick<Logger, "warn">,
  now?: () => number,
): Promise<() => Promise<void>> {
  const look = async () => {
    const ahead = await secondsAhead(ask, now);
    if (Math.abs(ahead) > MOST_SECONDS)
      log.warn({ secondsAhead: ahead }, "the clock of this process differs from that of the database");
  };
  await look();
  return repeated(HOUR_MS, look, (error) =>
    log.warn({ causes: causesOf(error) }, "the clocks could not be compared"),
  );
}
