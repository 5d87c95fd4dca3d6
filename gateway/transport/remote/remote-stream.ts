import { once } from "node:events";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { StreamRequest, StreamResponse } from "@connectrpc/connect";
import type { Client, ClientDuplexStream, Metadata, ServiceError } from "@grpc/grpc-js";
import { headersFromMetadata, metadataFromHeaders } from "./metadata.ts";
import { connectErrorOf } from "./remote-error.ts";
import { deadlineIn, wireOf } from "./wire.ts";

/** Opens a stream of any kind; on the wire they are all alike. Resolves with the headers of the response. */
export async function openStream<I extends DescMessage, O extends DescMessage>(
  channel: Client,
  request: StreamRequest<I, O>,
  timeoutMs: number | undefined,
): Promise<StreamResponse<I, O>> {
  const { path, encode, decode } = wireOf(request.method);
  const metadata = metadataFromHeaders(request.header);
  const call = channel.makeBidiStreamRequest(path, encode, decode, metadata, deadlineIn(timeoutMs));
  request.signal.addEventListener("abort", () => call.cancel(), { once: true });
  if (request.signal.aborted) call.cancel();
  const failure = failureOf(call);
  const trailer = new Headers();
  call.on("status", (status) => copy(status.metadata, trailer));
  const opened = headerOf(call);
  void sendAll(call, request);
  const { service, method } = request;
  return { stream: true, service, method, header: await opened, trailer, message: received(call, failure) };
}

/** A call can fail before anybody reads what it answers: without a listener that would end the process. */
interface Failure {
  error?: Error;
}

function failureOf<I, O>(call: ClientDuplexStream<I, O>): Failure {
  const failure: Failure = {};
  call.on("error", (error) => {
    failure.error = error;
  });
  return failure;
}

// A response without messages may come as a status alone, with an error or without.
function headerOf<I, O>(call: ClientDuplexStream<I, O>): Promise<Headers> {
  return new Promise((resolve) => {
    call.once("metadata", (metadata) => resolve(headersFromMetadata(metadata)));
    call.once("status", () => resolve(new Headers()));
  });
}

async function sendAll<I extends DescMessage, O extends DescMessage>(
  call: ClientDuplexStream<MessageShape<I>, MessageShape<O>>,
  { message, signal }: StreamRequest<I, O>,
): Promise<void> {
  try {
    for await (const one of message) {
      if (signal.aborted) return;
      if (!call.write(one)) await once(call, "drain", { signal });
    }
    call.end();
  } catch (error) {
    // Whoever reads the responses learns of it; when the call itself failed they know already.
    call.cancel();
    call.destroy(error as Error);
  }
}

async function* received<I, O>(call: ClientDuplexStream<I, O>, failure: Failure): AsyncGenerator<O> {
  try {
    yield* call as AsyncIterable<O>;
    if (failure.error) throw failure.error;
  } catch (error) {
    throw isServiceError(error) ? connectErrorOf(error) : error;
  } finally {
    call.cancel();
  }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "metadata" in error;
}

function copy(metadata: Metadata, headers: Headers): void {
  for (const [name, value] of headersFromMetadata(metadata)) headers.set(name, value);
}
