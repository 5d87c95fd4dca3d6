import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { UnaryRequest, UnaryResponse } from "@connectrpc/connect";
import { type Client, Metadata } from "@grpc/grpc-js";
import { type AnswerMetadata, UnaryAnswer } from "../unary-answer.ts";
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
      const metadata = new ReceivedMetadata(header, status.metadata);
      if (message) resolve(new UnaryAnswer(request.method, message, metadata));
    });
    request.signal.addEventListener("abort", () => call.cancel(), { once: true });
    if (request.signal.aborted) call.cancel();
  });
}

/** The metadata of a response as grpc-js gives them. */
class ReceivedMetadata implements AnswerMetadata {
  readonly #header: Metadata;
  readonly #trailer: Metadata;

  constructor(header: Metadata, trailer: Metadata) {
    this.#header = header;
    this.#trailer = trailer;
  }

  get responseHeader(): Headers {
    return headersFromMetadata(this.#header);
  }

  get responseTrailer(): Headers {
    return headersFromMetadata(this.#trailer);
  }
}
