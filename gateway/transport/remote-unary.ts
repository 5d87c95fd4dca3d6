import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { UnaryRequest, UnaryResponse } from "@connectrpc/connect";
import { type Client, Metadata } from "@grpc/grpc-js";
import { headersFromMetadata, metadataFromHeaders } from "./metadata.ts";
import { connectErrorOf } from "./remote-error.ts";
import { deadlineIn, wireOf } from "./wire.ts";

/** Makes one unary call; rejects with a ConnectError. */
export function callUnary<I extends DescMessage, O extends DescMessage>(
  channel: Client,
  request: UnaryRequest<I, O>,
  timeoutMs: number | undefined,
): Promise<UnaryResponse<I, O>> {
  const { path, encode, decode } = wireOf(request.method);
  return new Promise((resolve, reject) => {
    let message: MessageShape<O> | undefined;
    let header = new Metadata();
    const metadata = metadataFromHeaders(request.header);
    const call = channel.makeUnaryRequest(
      path,
      encode,
      decode,
      request.message,
      metadata,
      deadlineIn(timeoutMs),
      (error, answer) => {
        if (error) reject(connectErrorOf(error));
        else message = answer;
      },
    );
    call.on("metadata", (received) => {
      header = received;
    });
    // The trailers come with the status, after the callback.
    call.on("status", (status) => {
      if (message) resolve(unaryResponse(request, message, header, status.metadata));
    });
    request.signal.addEventListener("abort", () => call.cancel(), { once: true });
    if (request.signal.aborted) call.cancel();
  });
}

function unaryResponse<I extends DescMessage, O extends DescMessage>(
  { service, method }: UnaryRequest<I, O>,
  message: MessageShape<O>,
  header: Metadata,
  trailer: Metadata,
): UnaryResponse<I, O> {
  return {
    stream: false,
    service,
    method,
    message,
    // Few callers look at them, and Headers are dear to build.
    get header() {
      return headersFromMetadata(header);
    },
    get trailer() {
      return headersFromMetadata(trailer);
    },
  };
}
