import { create, toBinary } from "@bufbuild/protobuf";
import { fileDesc, type GenService, serviceDesc } from "@bufbuild/protobuf/codegenv2";
import { base64Encode } from "@bufbuild/protobuf/wire";
import {
  FileDescriptorProtoSchema,
  file_google_protobuf_wrappers,
  type StringValueSchema,
} from "@bufbuild/protobuf/wkt";
import type { ServiceImpl, ServiceImplSpec } from "@connectrpc/connect";
import { type Logger, pino } from "pino";
import { defaultErrorSystems } from "../../src/errors/index.ts";
import { intercept, standardInterceptors } from "../../src/grpc/interceptors/index.ts";

const text = ".google.protobuf.StringValue";

const file = create(FileDescriptorProtoSchema, {
  name: "test/echo.proto",
  package: "test",
  dependency: ["google/protobuf/wrappers.proto"],
  syntax: "proto3",
  service: [
    {
      name: "EchoService",
      method: [
        { name: "Say", inputType: text, outputType: text },
        { name: "Repeat", inputType: text, outputType: text, serverStreaming: true },
        { name: "Join", inputType: text, outputType: text, clientStreaming: true },
        { name: "Talk", inputType: text, outputType: text, clientStreaming: true, serverStreaming: true },
      ],
    },
  ],
});

const file_test_echo = fileDesc(base64Encode(toBinary(FileDescriptorProtoSchema, file)), [
  file_google_protobuf_wrappers,
]);

type Text = typeof StringValueSchema;

/** One method of each kind, over StringValue: the ways of serving are tested apart from the index. */
export const EchoService: GenService<{
  say: { methodKind: "unary"; input: Text; output: Text };
  repeat: { methodKind: "server_streaming"; input: Text; output: Text };
  join: { methodKind: "client_streaming"; input: Text; output: Text };
  talk: { methodKind: "bidi_streaming"; input: Text; output: Text };
}> = serviceDesc(file_test_echo, 0);

export type Echo = Partial<ServiceImpl<typeof EchoService>>;

/** The echo service as the core serves it, inside the standard interceptors. */
export function echoSpec(impl: Echo, log: Logger = pino({ level: "silent" })): ServiceImplSpec {
  const interceptors = standardInterceptors(log, defaultErrorSystems);
  return intercept(EchoService, impl, { interceptors, defaultLanguage: "et" });
}
