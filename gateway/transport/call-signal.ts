import { Code, ConnectError } from "@connectrpc/connect";

/** The signal of one call: aborts when the caller hangs up or the time is over, and never after the end of the call. */
export class CallSignal {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(caller: AbortSignal | undefined, timeoutMs: number | undefined) {
    this.#caller = caller;
    if (timeoutMs !== undefined && timeoutMs <= 0) this.#timeOut();
    else if (timeoutMs !== undefined) this.#timer = setTimeout(this.#timeOut, timeoutMs);
    if (caller?.aborted) this.#hangUp();
    else caller?.addEventListener("abort", this.#hangUp);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#hangUp);
  }

  readonly #timeOut = () => {
    this.#controller.abort(new ConnectError("the operation timed out", Code.DeadlineExceeded));
  };

  readonly #hangUp = () => {
    this.#controller.abort(ConnectError.from(this.#caller?.reason, Code.Canceled));
  };
}
