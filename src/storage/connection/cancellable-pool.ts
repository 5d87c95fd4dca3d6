import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { currentSignal } from "../../call/current-call.ts";
import { requestCancel, type Session } from "./cancel-request.ts";
import { READ_ONLY, sqlState } from "./sql-state.ts";
import { spanned, spanOfStatement } from "./statement-span.ts";

const CANCEL_AGAIN_MS = 250;
/** Then the connection is given up, and what its statement does. */
const MOST_REQUESTS = 12;

/**
 * A transaction that this process leaves open because it is gone without a word (its machine, the network) is ended by
 * the server: hours of TCP would keep its locks. Longer than any transaction waits for us.
 */
const BEGIN = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '40s'";

interface ClientConfig extends pg.ClientConfig {
  readonly answerMs?: number | undefined;
}

interface PoolConfig extends pg.PoolConfig {
  /**
   * How long a statement that runs for no call in particular waits for its answer, and the end of any transaction, which
   * no call cancels; for ever unless given. A server may be gone without a word, and many may wait for one statement.
   */
  readonly answerMs?: number;
}

/** A client whose statements are cancelled in the server when the call that they are run for is. */
class CancellableClient extends pg.Client {
  /** Statements that run, or wait to, for callers who have gone. */
  readonly #abandoned = new Set<Promise<unknown>>();
  /** Until no cancel request can hit this session any more. */
  #cancelling: Promise<void> | undefined;
  readonly #ended = new Promise<void>((resolve) => this.once("end", () => resolve()));

  readonly #answerMs: number | undefined;

  constructor(config: ClientConfig) {
    super(config);
    this.#answerMs = config.answerMs;
    // A connection that breaks fails its statement, and the pool is told of idle ones; but it emits "error" besides,
    // which without a listener would end the process.
    this.on("error", () => undefined);
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads; this one passes them all on.
  override query(...parameters: any[]): any {
    const query = super.query as (...all: unknown[]) => unknown;
    if (!isAwaited(parameters)) return query.apply(this, parameters);
    // A request for another statement would cancel this one.
    if (this.#cancelling) return this.#cancelling.then(() => this.query(...parameters));
    const text = textOf(parameters[0]);
    const isEnd = isEndOfTransaction(text);
    const signal = isEnd ? undefined : currentSignal();
    if (signal?.aborted) return Promise.reject(signal.reason);
    const sent = text === "BEGIN" ? [BEGIN] : parameters;
    const span = spanOfStatement(text);
    const result = spanned(
      span,
      answerTo((answer) => query.apply(this, [...sent, answer])),
    );
    if (signal) return this.#cancelOn(signal, result);
    return this.#inTime(result, () => (isEnd ? this.#throwAway() : this.#abandon(result)));
  }

  #cancelOn<T>(signal: AbortSignal, result: Promise<T>): Promise<T> {
    const onAbort = () => void this.#abandon(result);
    signal.addEventListener("abort", onAbort, { once: true });
    return this.#settled(result, () => signal.removeEventListener("abort", onAbort));
  }

  async #inTime<T>(result: Promise<T>, giveUp: () => Promise<void>): Promise<T> {
    if (this.#answerMs === undefined) return await this.#settled(result, () => undefined);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      void giveUp();
    }, this.#answerMs).unref();
    try {
      return await this.#settled(result, () => clearTimeout(timer));
    } catch (cause) {
      throw isLate ? new NoAnswer("The database did not answer in time.", { cause }) : cause;
    }
  }

  /** The answer, once whoever gets the connection next can get nothing of its statement with it. */
  async #settled<T>(result: Promise<T>, stopWatching: () => void): Promise<T> {
    try {
      return await result;
    } catch (cause) {
      // The server is a standby now; the one that a new connection finds may not be.
      if (sqlState(cause) === READ_ONLY) await this.#throwAway();
      throw cause;
    } finally {
      stopWatching();
      this.#abandoned.delete(result);
      if (this.#cancelling) await this.#cancelling;
    }
  }

  #abandon(result: Promise<unknown>): Promise<void> {
    this.#abandoned.add(result);
    this.#cancelling ??= this.#cancelAbandoned();
    return this.#cancelling;
  }

  /** One request after the other, as one that overtakes its statement cancels nothing; but not for ever. */
  async #cancelAbandoned(): Promise<void> {
    for (let requests = 0; this.#abandoned.size > 0; requests++) {
      if (requests === MOST_REQUESTS || !(await requestCancel(this as unknown as Session))) {
        await this.#throwAway();
        break;
      }
      const settled = Promise.allSettled(this.#abandoned);
      await Promise.race([settled, delay(CANCEL_AGAIN_MS, undefined, { ref: false })]);
    }
    this.#cancelling = undefined;
  }

  /** Its statements fail, and the pool does not take it back. */
  async #throwAway(): Promise<void> {
    this.connection.stream.destroy();
    await this.#ended;
  }
}

/** Said of a statement that was given up; node's code for it tells that the same may succeed a moment later. */
class NoAnswer extends Error {
  readonly code = "ETIMEDOUT";
}

/** Whether pg is to give a promise: nobody handed it a callback, or a query that has its own ways of answering. */
function isAwaited(parameters: readonly unknown[]): boolean {
  const [query] = parameters as [{ readonly submit?: unknown } | string | undefined];
  return typeof parameters.at(-1) !== "function" && (typeof query !== "object" || query.submit === undefined);
}

/**
 * The promise of what pg answers by a callback. With its own promises V8 keeps each query, its rows and all that waits
 * for them until a full garbage collection.
 */
async function answerTo<T>(ask: (answer: (error: Error | null, result: T) => void) => void): Promise<T> {
  try {
    return await new Promise<T>((resolve, reject) => {
      ask((error, result) => (error ? reject(error) : resolve(result)));
    });
  } catch (error) {
    // As pg does: the stack leads to whoever asked, not to the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

/**
 * A COMMIT that is under way is let through: cancelling it would leave its outcome unknown for nothing. So is a ROLLBACK,
 * to a savepoint too: what was to be undone must not be committed with the rest.
 */
function isEndOfTransaction(text: string | undefined): boolean {
  return text === "COMMIT" || text?.startsWith("ROLLBACK") === true;
}

function textOf(query: unknown): string | undefined {
  return typeof query === "string" ? query : (query as { text?: string } | undefined)?.text;
}

/**
 * A pool whose statements follow the signal of the call (src/call): one that runs is cancelled in the server, and one that
 * waited for its connection meanwhile is not sent.
 */
export class CancellablePool extends pg.Pool {
  constructor(config: PoolConfig) {
    super({ ...config, Client: CancellableClient } as unknown as pg.PoolConfig);
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads; the driver adapter uses this one.
  override async query(...parameters: any[]): Promise<any> {
    const client = await this.connect();
    try {
      return await (client.query as (...all: unknown[]) => Promise<unknown>).apply(client, parameters);
    } finally {
      client.release();
    }
  }
}
