import type {
  DescMethod,
  DescMethodStreaming,
  DescMethodUnary,
  DescService,
  Message,
} from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  createMethodImplSpec,
  type HandlerContext,
  type MethodImpl,
  type MethodImplSpec,
  type ServiceImplSpec,
  type Transport,
} from "@connectrpc/connect";
import { JobService } from "#proto/patientindex/v1/job_service_pb.ts";
import { passedHeaders } from "../passed-headers.ts";
import { withOpenedDetails } from "./error-details.ts";

/** Streams that only tell of changes: whoever watches is not waited for when the gateway stops. */
const watches: ReadonlySet<DescMethod> = new Set([JobService.method.watchJob]);

/** A service implementation that hands every call on to a core by way of the transport; `stopping` ends what is watched. */
export function forward(service: DescService, transport: Transport, stopping?: AbortSignal): ServiceImplSpec {
  const methods = service.methods.map((method) => {
    const end = watches.has(method) ? stopping : undefined;
    return [method.localName, forwardMethod(method, transport, end)] as const;
  });
  return { service, methods: Object.fromEntries(methods) };
}

function forwardMethod(
  method: DescMethod,
  transport: Transport,
  end: AbortSignal | undefined,
): MethodImplSpec {
  return createMethodImplSpec(method, forwardingImpl(method, transport, end) as MethodImpl<DescMethod>);
}

function forwardingImpl(method: DescMethod, transport: Transport, end: AbortSignal | undefined) {
  const unary = method as DescMethodUnary;
  const streaming = method as DescMethodStreaming;
  switch (method.methodKind) {
    case "unary":
      return (request: Message, context: HandlerContext) => forwardUnary(transport, unary, request, context);
    case "server_streaming":
      return (request: Message, context: HandlerContext) =>
        forwardStream(transport, streaming, justThis(request), context, end);
    case "client_streaming":
      return (requests: AsyncIterable<Message>, context: HandlerContext) =>
        onlyOneOf(forwardStream(transport, streaming, requests, context));
    case "bidi_streaming":
      return (requests: AsyncIterable<Message>, context: HandlerContext) =>
        forwardStream(transport, streaming, requests, context);
  }
}

async function forwardUnary(
  transport: Transport,
  method: DescMethodUnary,
  request: Message,
  context: HandlerContext,
): Promise<Message> {
  const headers = passedHeaders((name) => context.requestHeader.get(name));
  try {
    const response = await transport.unary(method, context.signal, context.timeoutMs(), headers, request);
    relay(response.header, context.responseHeader);
    relay(response.trailer, context.responseTrailer);
    return response.message;
  } catch (error) {
    throw withOpenedDetails(error);
  }
}

async function* forwardStream(
  transport: Transport,
  method: DescMethodStreaming,
  requests: AsyncIterable<Message>,
  context: HandlerContext,
  end?: AbortSignal,
): AsyncGenerator<Message> {
  const headers = passedHeaders((name) => context.requestHeader.get(name));
  const signal = end ? AbortSignal.any([context.signal, end]) : context.signal;
  try {
    const response = await transport.stream(method, signal, context.timeoutMs(), headers, requests);
    relay(response.header, context.responseHeader);
    yield* response.message;
    relay(response.trailer, context.responseTrailer);
  } catch (error) {
    throw withOpenedDetails(error);
  }
}

async function* justThis(request: Message): AsyncGenerator<Message> {
  yield request;
}

async function onlyOneOf(responses: AsyncIterable<Message>): Promise<Message> {
  let answer: Message | undefined;
  for await (const response of responses) answer ??= response;
  if (!answer) throw new ConnectError("the core sent no answer", Code.Internal);
  return answer;
}

// What speaks of the inner connection says nothing about the outer one.
const ofTheConnection = /^(content-|grpc-|date$|trailer$)/;

function relay(from: Headers, to: Headers): void {
  for (const [name, value] of from) if (!ofTheConnection.test(name)) to.append(name, value);
}
