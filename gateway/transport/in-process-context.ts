import {
  createContextValues,
  type HandlerContext,
  type StreamRequest,
  type UnaryRequest,
} from "@connectrpc/connect";

/** The HandlerContext of a call within the process that arrives now and has `timeoutMs` milliseconds. */
export function createInProcessContext(
  request: UnaryRequest | StreamRequest,
  timeoutMs: number | undefined,
): HandlerContext {
  const { service, method, signal, requestMethod, header, url } = request;
  const deadline = timeoutMs === undefined ? undefined : Date.now() + timeoutMs;
  let responseHeader: Headers | undefined;
  let responseTrailer: Headers | undefined;
  return {
    service,
    method,
    signal,
    requestMethod,
    url,
    protocolName: "in-process",
    requestHeader: header,
    // The values of the client side stay on its side, as over a wire.
    values: createContextValues(),
    timeoutMs: () => (deadline === undefined ? undefined : deadline - Date.now()),
    get responseHeader() {
      responseHeader ??= new Headers();
      return responseHeader;
    },
    get responseTrailer() {
      responseTrailer ??= new Headers();
      return responseTrailer;
    },
  };
}
