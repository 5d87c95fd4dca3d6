import type { DescMessage, DescMethod, Message } from "@bufbuild/protobuf";
import type { ServiceImplSpec } from "@connectrpc/connect";
import type {
  MethodDefinition,
  Server,
  ServiceDefinition,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { readMessage, writeMessage } from "../messages/index.ts";
import { decodeRequest } from "./calls/decode-request.ts";
import type { CallsInFlight } from "./calls-in-flight.ts";
import { grpcHandlerOf } from "./method-handlers.ts";

/** Serves a Connect service implementation from a grpc-js server. */
export function addServiceImpl(
  server: Server,
  { service, methods }: ServiceImplSpec,
  inFlight: CallsInFlight,
): void {
  const definition: Record<string, MethodDefinition<Message, Message>> = {};
  const handlers: UntypedServiceImplementation = {};
  for (const method of service.methods) {
    const spec = methods[method.localName];
    if (!spec) continue;
    definition[method.localName] = methodDefinition(method);
    handlers[method.localName] = grpcHandlerOf(spec, inFlight);
  }
  server.addService(definition as ServiceDefinition, handlers);
}

function methodDefinition(method: DescMethod): MethodDefinition<Message, Message> {
  return {
    path: `/${method.parent.typeName}/${method.name}`,
    requestStream: method.methodKind === "client_streaming" || method.methodKind === "bidi_streaming",
    responseStream: method.methodKind === "server_streaming" || method.methodKind === "bidi_streaming",
    requestSerialize: serializerOf(method.input),
    requestDeserialize: (bytes) => decodeRequest(method.input, bytes),
    responseSerialize: serializerOf(method.output),
    responseDeserialize: (bytes) => readMessage(method.output, bytes),
  };
}

function serializerOf(type: DescMessage): (message: Message) => Buffer {
  return (message) => {
    const bytes = writeMessage(type, message);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
}
