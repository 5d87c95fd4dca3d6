import type { DescMethod, DescService } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ContextValues,
  createContextValues,
  type HandlerContext,
} from "@connectrpc/connect";
import type { Metadata, ServerUnaryCall } from "@grpc/grpc-js";
import { headersFromMetadata, metadataFromHeaders } from "./metadata.ts";

/** What the four kinds of grpc-js server calls have in common. */
export type ServerCall = Pick<
  ServerUnaryCall<unknown, unknown>,
  "metadata" | "cancelled" | "getDeadline" | "getHost" | "getPath" | "sendMetadata"
> & { once(event: "cancelled", listener: () => void): unknown };

const callIsOver = new ConnectError("the call is over", Code.Canceled);

/**
 * The HandlerContext of a call that came through grpc-js. Every part is built when it is first asked for:
 * most calls use few of them, and building them all costs more than the rest of the call.
 */
export class GrpcHandlerContext implements HandlerContext {
  readonly method: DescMethod;
  readonly protocolName = "grpc";
  readonly requestMethod = "POST";
  readonly #call: ServerCall;
  #controller: AbortController | undefined;
  #requestHeader: Headers | undefined;
  #responseHeader: Headers | undefined;
  #responseTrailer: Headers | undefined;
  #values: ContextValues | undefined;
  #finished = false;

  constructor(method: DescMethod, call: ServerCall) {
    this.method = method;
    this.#call = call;
  }

  get service(): DescService {
    return this.method.parent;
  }

  get url(): string {
    return `http://${this.#call.getHost()}${this.#call.getPath()}`;
  }

  get signal(): AbortSignal {
    this.#controller ??= this.#linkedController();
    return this.#controller.signal;
  }

  get requestHeader(): Headers {
    this.#requestHeader ??= headersFromMetadata(this.#call.metadata);
    return this.#requestHeader;
  }

  get responseHeader(): Headers {
    this.#responseHeader ??= new Headers();
    return this.#responseHeader;
  }

  get responseTrailer(): Headers {
    this.#responseTrailer ??= new Headers();
    return this.#responseTrailer;
  }

  get values(): ContextValues {
    this.#values ??= createContextValues();
    return this.#values;
  }

  readonly timeoutMs = (): number | undefined => {
    const deadline = Number(this.#call.getDeadline());
    return Number.isFinite(deadline) ? deadline - Date.now() : undefined;
  };

  /** Sends the response headers that were set; to be called before the first message. */
  sendResponseHeader(): void {
    if (this.#responseHeader) this.#call.sendMetadata(metadataFromHeaders(this.#responseHeader));
  }

  /** The response trailers that were set. */
  trailerMetadata(): Metadata | undefined {
    return this.#responseTrailer && metadataFromHeaders(this.#responseTrailer);
  }

  /** Marks the call as answered: an abort of the signal after this is no cancellation. */
  finish(): void {
    this.#finished = true;
  }

  #linkedController(): AbortController {
    const controller = new AbortController();
    const abort = () => controller.abort(this.#abortReason());
    if (this.#call.cancelled) abort();
    else this.#call.once("cancelled", abort);
    return controller;
  }

  #abortReason(): ConnectError {
    if (this.#finished) return callIsOver;
    const remainingMs = this.timeoutMs();
    // grpc-js ends a call at its deadline by a timer, and timers may fire a millisecond early.
    return remainingMs !== undefined && remainingMs <= 1
      ? new ConnectError("the operation timed out", Code.DeadlineExceeded)
      : new ConnectError("the operation was cancelled", Code.Canceled);
  }
}
