import { once } from "node:events";
import { create, type Message } from "@bufbuild/protobuf";
import type { MethodImplSpec } from "@connectrpc/connect";
import type {
  handleBidiStreamingCall,
  handleClientStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  ServerDuplexStream,
  ServerReadableStream,
  ServerWritableStream,
  sendUnaryData,
  UntypedHandleCall,
} from "@grpc/grpc-js";
import { GrpcHandlerContext } from "./calls/handler-context.ts";
import { grpcStatusOf } from "./calls/status.ts";
import type { CallsInFlight } from "./calls-in-flight.ts";

type Spec<Kind extends MethodImplSpec["kind"]> = Extract<MethodImplSpec, { kind: Kind }>;
type Response = Awaited<ReturnType<Spec<"unary">["impl"]>>;
type Responses = ReturnType<Spec<"server_streaming">["impl"]>;
type ResponseStream = ServerWritableStream<Message, Message> | ServerDuplexStream<Message, Message>;

/** The grpc-js handler that serves one method of a Connect service implementation. */
export function grpcHandlerOf(spec: MethodImplSpec, inFlight: CallsInFlight): UntypedHandleCall {
  switch (spec.kind) {
    case "unary":
      return unaryHandler(spec, inFlight);
    case "server_streaming":
      return serverStreamingHandler(spec, inFlight);
    case "client_streaming":
      return clientStreamingHandler(spec, inFlight);
    case "bidi_streaming":
      return bidiStreamingHandler(spec, inFlight);
  }
}

function unaryHandler(
  { method, impl }: Spec<"unary">,
  inFlight: CallsInFlight,
): handleUnaryCall<Message, Message> {
  return (call, respond) => {
    const context = new GrpcHandlerContext(method, call);
    inFlight.track(sendOne(respond, context, () => impl(call.request, context)));
  };
}

function clientStreamingHandler(
  { method, impl }: Spec<"client_streaming">,
  inFlight: CallsInFlight,
): handleClientStreamingCall<Message, Message> {
  return (call, respond) => {
    const context = new GrpcHandlerContext(method, call);
    inFlight.track(sendOne(respond, context, () => impl(requestsOf(call), context)));
  };
}

function serverStreamingHandler(
  { method, impl }: Spec<"server_streaming">,
  inFlight: CallsInFlight,
): handleServerStreamingCall<Message, Message> {
  return (call) => {
    const context = new GrpcHandlerContext(method, call);
    inFlight.track(sendAll(call, context, () => impl(call.request, context)));
  };
}

function bidiStreamingHandler(
  { method, impl }: Spec<"bidi_streaming">,
  inFlight: CallsInFlight,
): handleBidiStreamingCall<Message, Message> {
  return (call) => {
    const context = new GrpcHandlerContext(method, call);
    inFlight.track(sendAll(call, context, () => impl(requestsOf(call), context)));
  };
}

// The stream's own iterator would end the call's responses along with its requests.
function requestsOf(call: ServerReadableStream<Message, Message>): AsyncIterable<Message> {
  return call.iterator({ destroyOnReturn: false });
}

async function sendOne(
  respond: sendUnaryData<Message>,
  context: GrpcHandlerContext,
  start: () => Response | Promise<Response>,
): Promise<void> {
  try {
    const response = create(context.method.output, await start());
    context.finish();
    context.sendResponseHeader();
    respond(null, response, context.trailerMetadata());
  } catch (error) {
    context.finish();
    respond(grpcStatusOf(error, context.trailerMetadata()));
  }
}

async function sendAll(
  call: ResponseStream,
  context: GrpcHandlerContext,
  start: () => Responses,
): Promise<void> {
  try {
    for await (const message of start()) {
      if (call.cancelled) return;
      // grpc-js sends headers once and lets later ones be.
      context.sendResponseHeader();
      const more = call.write(create(context.method.output, message));
      if (!more) await once(call, "drain", { signal: context.signal });
    }
    context.finish();
    context.sendResponseHeader();
    call.end(context.trailerMetadata());
  } catch (error) {
    if (call.cancelled) return;
    context.finish();
    // The way grpc-js ends a response stream with a status of its own.
    call.emit("error", grpcStatusOf(error, context.trailerMetadata()));
  }
}
