import type { DescMethod, DescService } from "@bufbuild/protobuf";
import {
  type ContextValues,
  createContextValues,
  type HandlerContext,
  type StreamRequest,
  type UnaryRequest,
} from "@connectrpc/connect";

/** The HandlerContext of a call within the process that arrives now and has `timeoutMs` milliseconds. */
export class InProcessContext implements HandlerContext {
  readonly service: DescService;
  readonly method: DescMethod;
  readonly signal: AbortSignal;
  readonly requestMethod: string;
  readonly url: string;
  readonly protocolName = "in-process";
  readonly requestHeader: Headers;
  /** The values of the client side stay on its side, as over a wire. */
  readonly values: ContextValues = createContextValues();
  readonly #deadline: number | undefined;
  #responseHeader: Headers | undefined;
  #responseTrailer: Headers | undefined;

  constructor(request: UnaryRequest | StreamRequest, timeoutMs: number | undefined) {
    this.service = request.service;
    this.method = request.method;
    this.signal = request.signal;
    this.requestMethod = request.requestMethod;
    this.url = request.url;
    this.requestHeader = request.header;
    this.#deadline = timeoutMs === undefined ? undefined : Date.now() + timeoutMs;
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
    this.#deadline === undefined ? undefined : this.#deadline - Date.now();
}
