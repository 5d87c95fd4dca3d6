import type { DescMethod, DescService } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ContextValues,
  createContextValues,
  type HandlerContext,
} from "@connectrpc/connect";
import { LONGEST_TIMER } from "../../time/far-deadlines.ts";

/** What a call brings along into a batch. */
export interface BatchedCallOptions {
  readonly requestHeader: Headers;
  /** Undefined for as long as the batch. */
  readonly timeoutMs: number | undefined;
}

/** The HandlerContext of a call that came with others: of its own in everything but the connection. */
export class BatchedCallContext implements HandlerContext {
  readonly method: DescMethod;
  readonly requestMethod = "POST";
  readonly protocolName: string;
  readonly requestHeader: Headers;
  readonly values: ContextValues = createContextValues();
  readonly #batch: HandlerContext;
  readonly #deadline: number | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #controller = new AbortController();
  #responseHeader: Headers | undefined;
  #responseTrailer: Headers | undefined;

  constructor(method: DescMethod, { requestHeader, timeoutMs }: BatchedCallOptions, batch: HandlerContext) {
    this.method = method;
    this.requestHeader = requestHeader;
    this.protocolName = batch.protocolName;
    this.#batch = batch;
    if (batch.signal.aborted) this.abort(batch.signal.reason);
    if (timeoutMs === undefined) return;
    this.#deadline = Date.now() + timeoutMs;
    this.#timer = setTimeout(this.#timeOut, Math.min(timeoutMs, LONGEST_TIMER));
  }

  get service(): DescService {
    return this.method.parent;
  }

  get url(): string {
    return this.#batch.url;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get responseHeader(): Headers {
    this.#responseHeader ??= new Headers();
    return this.#responseHeader;
  }

  get responseTrailer(): Headers {
    this.#responseTrailer ??= new Headers();
    return this.#responseTrailer;
  }

  readonly timeoutMs = (): number | undefined =>
    this.#deadline === undefined ? this.#batch.timeoutMs() : this.#deadline - Date.now();

  /** The response metadata that were set. */
  responseMetadata(): { readonly header: Headers | undefined; readonly trailer: Headers | undefined } {
    return { header: this.#responseHeader, trailer: this.#responseTrailer };
  }

  /** Tells the call to stop; to be done to those that run when their batch is cancelled. */
  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** To be called when the call has ended: its deadline means nothing any more. */
  end(): void {
    clearTimeout(this.#timer);
  }

  readonly #timeOut = () => this.abort(new ConnectError("the operation timed out", Code.DeadlineExceeded));
}
