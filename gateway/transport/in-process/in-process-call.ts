import { create, type DescMessage, type Message, type MessageShape } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type HandlerContext,
  type MethodImplSpec,
  type StreamRequest,
  type StreamResponse,
  type UnaryRequest,
  type UnaryResponse,
} from "@connectrpc/connect";
import { UnaryAnswer } from "../unary-answer.ts";
import { InProcessContext } from "./in-process-context.ts";

type Spec<Kind extends MethodImplSpec["kind"]> = Extract<MethodImplSpec, { kind: Kind }>;
type Responses = ReturnType<Spec<"server_streaming">["impl"]>;

/** Runs a unary implementation; rejects with the reason of the signal as soon as that aborts. */
export async function invokeUnary<I extends DescMessage, O extends DescMessage>(
  { impl }: Spec<"unary">,
  request: UnaryRequest<I, O>,
  timeoutMs: number | undefined,
): Promise<UnaryResponse<I, O>> {
  const { method, signal } = request;
  const context = new InProcessContext(request, timeoutMs);
  const answer = await untilAborted(signal, async () => impl(request.message, context));
  return new UnaryAnswer(method, create(method.output, answer as MessageShape<O>), context);
}

/** Runs a streaming implementation of any kind. Resolves when the first message is there, and the headers with it. */
export async function invokeStream<I extends DescMessage, O extends DescMessage>(
  spec: MethodImplSpec,
  request: StreamRequest<I, O>,
  timeoutMs: number | undefined,
): Promise<StreamResponse<I, O>> {
  const { service, method, signal } = request;
  const context = new InProcessContext(request, timeoutMs);
  const responses = responsesOf(spec, request.message, context)[Symbol.asyncIterator]();
  // Nobody reads on after an abort: the implementation must not stay at its last message for ever. What it throws
  // while it cleans up is the business of its own interceptors, the caller has left.
  signal.addEventListener("abort", () => responses.return?.().catch(() => undefined), { once: true });
  const next = () => untilAborted(signal, () => responses.next());
  const first = await next();
  return {
    stream: true,
    service,
    method,
    header: context.responseHeader,
    trailer: context.responseTrailer,
    message: messagesFrom(first, next, method.output),
  };
}

async function* responsesOf(
  spec: MethodImplSpec,
  requests: AsyncIterable<Message>,
  context: HandlerContext,
): Responses {
  switch (spec.kind) {
    case "unary":
      throw new ConnectError(`${spec.method.name} is unary`, Code.Internal);
    case "server_streaming":
      yield* spec.impl(await onlyOneOf(requests), context);
      break;
    case "client_streaming":
      yield await spec.impl(requests, context);
      break;
    case "bidi_streaming":
      yield* spec.impl(requests, context);
  }
}

async function onlyOneOf(requests: AsyncIterable<Message>): Promise<Message> {
  for await (const request of requests) return request;
  throw new ConnectError("the request message is missing", Code.Unimplemented);
}

async function* messagesFrom<O extends DescMessage>(
  first: IteratorResult<unknown>,
  next: () => Promise<IteratorResult<unknown>>,
  type: O,
): AsyncGenerator<MessageShape<O>> {
  for (let result = first; !result.done; result = await next()) {
    yield create(type, result.value as MessageShape<O>);
  }
}

/** As over a wire, the caller does not wait for work that goes on after its call was aborted. */
function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    work().then(
      (result) => {
        signal.removeEventListener("abort", abort);
        resolve(result);
      },
      (error) => {
        signal.removeEventListener("abort", abort);
        reject(shownError(error));
      },
    );
  });
}

// As over a wire: an error that was not meant for the caller shows nothing of itself.
function shownError(error: unknown): ConnectError {
  return error instanceof ConnectError
    ? error
    : new ConnectError("internal error", Code.Internal, undefined, undefined, error);
}
