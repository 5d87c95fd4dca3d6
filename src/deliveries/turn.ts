import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Lease } from "./ports.ts";

/** What is delivered by one at a time. */
export interface InTurns {
  readonly queue: Lease;
  /** Outlives the slowest delivery, so that nobody else begins while one is under way. */
  readonly leaseMs: number;
}

/**
 * Whether the turn goes on, to be asked before each delivery; false when somebody else has taken it, or had it meanwhile:
 * a process that stood still would deliver again what that one has delivered.
 */
export type Renew = () => Promise<boolean>;

/** How soon a turn that somebody else has is asked for again. */
const AGAIN_MS = 250;

/** Delivers in a turn that is given back at the end; undefined, and nothing is done, while somebody else has it. */
export async function inTurn<Round>(
  { queue, leaseMs }: InTurns,
  deliver: (renew: Renew) => Promise<Round>,
): Promise<Round | undefined> {
  const holder = randomUUID();
  if (!(await queue.lease(holder, leaseMs))) return undefined;
  try {
    return await deliver(() => queue.renew(holder, leaseMs));
  } finally {
    await queue.release(holder);
  }
}

/** The same as soon as nobody else has the turn, or the signal aborts. */
export async function inNextTurn<Round extends object>(
  turns: InTurns,
  signal: AbortSignal,
  deliver: (renew: Renew) => Promise<Round>,
): Promise<Round> {
  for (;;) {
    const round = await inTurn(turns, deliver);
    if (round) return round;
    await delay(AGAIN_MS, undefined, { signal });
  }
}
