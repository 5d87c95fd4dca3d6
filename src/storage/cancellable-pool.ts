import pg from "pg";
import { currentSignal } from "../call/current-call.ts";

const CANCEL_AGAIN_MS = 250;

/** A client whose statements are cancelled in the server when the call that they are run for is. */
class CancellableClient extends pg.Client {
  readonly #config: pg.ClientConfig;

  constructor(config: pg.ClientConfig) {
    super(config);
    this.#config = config;
    // A connection that breaks fails its statement, and the pool is told of idle ones; but it emits "error" besides,
    // which without a listener would end the process.
    this.on("error", () => undefined);
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads; this one passes them all on.
  override query(...parameters: any[]): any {
    const query = super.query as (...all: unknown[]) => unknown;
    if (!isAwaited(parameters)) return query.apply(this, parameters);
    const signal = isEndOfTransaction(parameters[0]) ? undefined : currentSignal();
    if (signal?.aborted) return Promise.reject(signal.reason);
    const result = answerTo((answer) => query.apply(this, [...parameters, answer]));
    return signal ? this.#cancelOn(signal, result) : result;
  }

  async #cancelOn<T>(signal: AbortSignal, result: Promise<T>): Promise<T> {
    let repeat: NodeJS.Timeout | undefined;
    const onAbort = () => {
      this.#sendCancelRequest();
      // A request that overtakes its statement cancels nothing.
      repeat = setInterval(() => this.#sendCancelRequest(), CANCEL_AGAIN_MS);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await result;
    } finally {
      clearInterval(repeat);
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Over a connection of its own, as the protocol wants it. Best effort: the server may have finished meanwhile. */
  #sendCancelRequest(): void {
    const { processID, secretKey } = this as unknown as { processID: number; secretKey: number };
    const messenger = new pg.Client(this.#config);
    const { connection } = messenger as unknown as { connection: CancelConnection };
    connection.on("connect", () => connection.cancel(processID, secretKey));
    connection.on("error", () => connection.end());
    connection.connect(this.port, this.host);
  }
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

interface CancelConnection {
  connect(port: number, host: string): void;
  cancel(processId: number, secretKey: number): void;
  end(): void;
  on(event: "connect" | "error", listener: () => void): void;
}

/** A COMMIT that is under way is let through: cancelling it would leave its outcome unknown for nothing. */
function isEndOfTransaction(query: unknown): boolean {
  const text = typeof query === "string" ? query : (query as { text?: string } | undefined)?.text;
  return text === "COMMIT" || text === "ROLLBACK";
}

/**
 * A pool whose statements follow the signal of the call (src/call): the wait for a connection ends with it, and
 * a running statement is cancelled in the server.
 */
export class CancellablePool extends pg.Pool {
  constructor(config: pg.PoolConfig) {
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
