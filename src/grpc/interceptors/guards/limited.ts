import type { Message } from "@bufbuild/protobuf";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { callerKey } from "../../../call/caller.ts";
import { MpiError } from "../../../errors/index.ts";
import { callContextOf } from "../../calls/call-context.ts";
import { type Call, type Interceptor, isStream, type Next, type Payload } from "../interceptor.ts";

const AT_ONCE_AGAIN = "1";

/**
 * Refuses calls at once, before any work, while so many are running in this process: those that run keep their pace,
 * and who is refused knows when to come back. A stream counts until it ends.
 */
export function limitInFlight(most: number): Interceptor {
  let running = 0;
  return async (call, next) => {
    if (running >= most) throw new MpiError("TOO_MANY_REQUESTS", { seconds: AT_ONCE_AGAIN });
    running += 1;
    return await untilItEnds(call, next, () => {
      running -= 1;
    });
  };
}

/** What of the calls that may run at once is for the streams of one caller: nobody alone keeps all others from being served. */
const OF_ONE = 1 / 2;

/** Refuses streams to a caller who has so many open in this process: they may wait as long as they like, and other calls have an end. */
export function limitStreams(most: number): Interceptor {
  const mostOfOne = Math.ceil(most * OF_ONE);
  const running = new Map<string, number>();
  const count = (key: string, change: 1 | -1) => {
    const now = (running.get(key) ?? 0) + change;
    if (now === 0) running.delete(key);
    else running.set(key, now);
  };
  return async (call, next) => {
    const { caller } = callContextOf(call.context);
    if (!caller || call.method.methodKind === "unary") return await next(call);
    const key = callerKey(caller);
    if ((running.get(key) ?? 0) >= mostOfOne) {
      throw new MpiError("TOO_MANY_REQUESTS", { seconds: AT_ONCE_AGAIN });
    }
    count(key, 1);
    return await untilItEnds(call, next, () => count(key, -1));
  };
}

/** Goes on with a call, and calls `end` when it has ended. */
async function untilItEnds(call: Call, next: Next, end: () => void): Promise<Payload> {
  let answer: Payload | undefined;
  try {
    answer = await next(call);
  } finally {
    if (!answer || !isStream(answer)) end();
  }
  return isStream(answer) ? endingStream(answer, call.context.signal, end) : answer;
}

/** The stream, with `end` called once: when it has ended, or its caller has gone, who may leave it as it stands. */
async function* endingStream(
  stream: AsyncIterable<Message>,
  signal: AbortSignal,
  end: () => void,
): AsyncGenerator<Message> {
  let counts = true;
  const endOnce = () => {
    if (counts) end();
    counts = false;
  };
  signal.addEventListener("abort", endOnce, { once: true });
  if (signal.aborted) endOnce();
  try {
    yield* stream;
  } finally {
    endOnce();
  }
}

/** Refuses the calls of a caller above so many a second, in this process; a caller is a user of an application of an organisation. */
export function limitRate(perSecond: number): Interceptor {
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 });
  return async (call, next) => {
    const { caller } = callContextOf(call.context);
    if (caller) await consume(limiter, callerKey(caller));
    return await next(call);
  };
}

/** What all those of whom nothing is known may send together, of what one caller may. */
const OF_UNKNOWN = 1 / 10;

/** Refuses those of whom nothing is known above a tenth of what one caller may send a second, all of them together. */
export function limitUnknown(perSecond: number): () => Promise<void> {
  const limiter = new RateLimiterMemory({ points: Math.ceil(perSecond * OF_UNKNOWN), duration: 1 });
  return () => consume(limiter, "unknown");
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection;
    // Counts begin anew each second; by the clock, which may have been set back since, it would be a day.
    throw new MpiError("TOO_MANY_REQUESTS", { seconds: AT_ONCE_AGAIN });
  }
}
