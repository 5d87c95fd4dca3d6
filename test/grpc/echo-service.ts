import { create, type DescMessage, toBinary } from "@bufbuild/protobuf";
import { fileDesc, type GenService, serviceDesc } from "@bufbuild/protobuf/codegenv2";
import { base64Encode } from "@bufbuild/protobuf/wire";
import {
  type BytesValueSchema,
  FileDescriptorProtoSchema,
  file_google_protobuf_wrappers,
  type StringValueSchema,
} from "@bufbuild/protobuf/wkt";
import type { ServiceImpl, ServiceImplSpec } from "@connectrpc/connect";
import { type Logger, pino } from "pino";
import { defaultErrorSystems } from "../../src/errors/index.ts";
import { intercept, standardInterceptors } from "../../src/grpc/interceptors/index.ts";

function echoFile(type: string) {
  const method = { inputType: type, outputType: type };
  const file = create(FileDescriptorProtoSchema, {
    name: "test/echo.proto",
    package: "test",
    dependency: ["google/protobuf/wrappers.proto"],
    syntax: "proto3",
    service: [
      {
        name: "EchoService",
        method: [
          { ...method, name: "Say" },
          { ...method, name: "Repeat", serverStreaming: true },
          { ...method, name: "Join", clientStreaming: true },
          { ...method, name: "Talk", clientStreaming: true, serverStreaming: true },
        ],
      },
    ],
  });
  const bytes = toBinary(FileDescriptorProtoSchema, file);
  return fileDesc(base64Encode(bytes), [file_google_protobuf_wrappers]);
}

type EchoOf<Value extends DescMessage> = GenService<{
  say: { methodKind: "unary"; input: Value; output: Value };
  repeat: { methodKind: "server_streaming"; input: Value; output: Value };
  join: { methodKind: "client_streaming"; input: Value; output: Value };
  talk: { methodKind: "bidi_streaming"; input: Value; output: Value };
}>;

/** One method of each kind, over StringValue: the ways of serving are tested apart from the index. */
export const EchoService: EchoOf<typeof StringValueSchema> = serviceDesc(
  echoFile(".google.protobuf.StringValue"),
  0,
);

/** The same as a client has it that sends any bytes for texts. */
export const BytesEchoService: EchoOf<typeof BytesValueSchema> = serviceDesc(
  echoFile(".google.protobuf.BytesValue"),
  0,
);

export type Echo = Partial<ServiceImpl<typeof EchoService>>;

/** The echo service as the core serves it, inside the standard interceptors. */
export function echoSpec(impl: Echo, log: Logger = pino({ level: "silent" })): ServiceImplSpec {
  const interceptors = standardInterceptors(log, defaultErrorSystems);
  return intercept(EchoService, impl, { interceptors, defaultLanguage: "et" });
}
