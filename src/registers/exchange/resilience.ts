import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleType,
  type IBackoff,
  type IPolicy,
  retry,
  wrap,
} from "cockatiel";
import { NoAnswer, Refusal } from "./failures.ts";

/** How one register is treated when it does not answer. */
export interface ResilienceOptions {
  /** Attempts after the first. */
  readonly retries?: number;
  /** Silent answers in a row after which nobody is sent there any more. */
  readonly breakAfter?: number;
  /** How long until somebody is sent again to see whether it has come back, in milliseconds. */
  readonly halfOpenAfterMs?: number;
  /** Told when nobody is sent there any more, and when it has come back. */
  readonly onCircuit?: (isOpen: boolean) => void;
}

/** Runs an attempt, perhaps more than once; the signal ends it all. */
type Run = <Result>(attempt: () => Promise<Result>, signal: AbortSignal, by?: RunBy) => Promise<Result>;

interface RunBy {
  /** Whether somebody is sent there also while nobody else is; what becomes of it then says nothing to the others. */
  readonly isOwed?: boolean | undefined;
}

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 1_000;

/**
 * Only silence counts against a register, an error of its own is an answer; and lateness only when it had its time. A
 * late one is not asked again: the time of the call is over by then. Delays have decorrelated jitter, cockatiel's own.
 */
export function resilience({
  retries = 2,
  breakAfter = 8,
  halfOpenAfterMs = 1_000,
  onCircuit = () => undefined,
}: ResilienceOptions = {}): Run {
  const counts = ({ hadItsTime }: NoAnswer) =>
    // What does not count would close the circuit when it is tried.
    hadItsTime || breaker.state === CircuitState.HalfOpen;
  const breaker = circuitBreaker(handleType(NoAnswer, counts), {
    halfOpenAfter: { next: () => elapsing(halfOpenAfterMs) },
    breaker: new ConsecutiveBreaker(breakAfter),
  });
  breaker.onBreak(() => onCircuit(true));
  breaker.onReset(() => onCircuit(false));
  const again = retry(
    handleType(NoAnswer, ({ silence }) => silence !== "late"),
    {
      maxAttempts: retries,
      backoff: new ExponentialBackoff({ initialDelay: FIRST_DELAY_MS, maxDelay: LONGEST_DELAY_MS }),
    },
  );
  return runner(wrap(again, breaker), again, breaker);
}

/**
 * A wait from now on, by a clock that nobody sets: cockatiel compares with that of the day, and a register would stay shut
 * for as long as one was set back.
 */
function elapsing(milliseconds: number): IBackoff<unknown> {
  const over = performance.now() + milliseconds;
  return {
    get duration() {
      return performance.now() < over ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    },
    next: () => elapsing(milliseconds),
  };
}

function runner(policy: IPolicy, owed: IPolicy, breaker: CircuitBreakerPolicy): Run {
  return async (attempt, signal, { isOwed = false } = {}) => {
    const answer = await (isOwed ? owed : policy)
      .execute(() => refusalAsAnswer(attempt), signal)
      .catch((error: unknown) => {
        throw error instanceof BrokenCircuitError ? new NoAnswer("unreachable", whyAway(breaker)) : error;
      });
    if ("refusal" in answer) throw answer.refusal;
    return answer.result;
  };
}

/** Why a register was away the last time that it was asked, which the log is to say: that it is not asked explains nothing. */
function whyAway({ lastFailure }: CircuitBreakerPolicy): unknown {
  const last = lastFailure && "error" in lastFailure ? lastFailure.error : undefined;
  return last instanceof NoAnswer ? last.cause : last;
}

/** A register that says no is there: to the circuit breaker that counts as any answer does. */
async function refusalAsAnswer<Result>(
  attempt: () => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly refusal: Refusal }> {
  try {
    return { result: await attempt() };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error };
    throw error;
  }
}
