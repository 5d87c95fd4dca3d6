import pg from "pg";
import { currentSignal } from "../call/cancellation.ts";

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
    const signal = isEndOfTransaction(parameters[0]) ? undefined : currentSignal();
    if (signal?.aborted) return Promise.reject(signal.reason);
    const result = (super.query as (...all: unknown[]) => unknown).apply(this, parameters);
    return signal && result instanceof Promise ? this.#cancelOn(signal, result) : result;
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
