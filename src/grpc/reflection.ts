import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { handleBidiStreamingCall, Server } from "@grpc/grpc-js";
import { ReflectionService } from "@grpc/reflection";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { Health } from "#proto/grpc/health/v1/health_pb.ts";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";

/** Each of its methods is a stream in either direction. */
type Handler = handleBidiStreamingCall<unknown, unknown>;

/**
 * Adds server reflection (v1 and v1alpha) for the services, from the descriptors in the generated code, and for what
 * every server has beside them: health, and the details of a refusal, which no method names. All that is read from
 * them when somebody asks for the first time: most servers are never asked, and it would make each start longer.
 */
export function addReflection(server: Server, services: readonly DescService[]): void {
  let handlers: ReadonlyMap<string, Handler> | undefined;
  new ReflectionService({}).addToServer({
    addService(definition) {
      const asked = Object.entries(definition).map(([name, { path }]) => {
        const answer: Handler = (call) => {
          handlers ??= handlersFor(services);
          handlers.get(path)?.(call);
        };
        return [name, answer];
      });
      server.addService(definition, Object.fromEntries(asked));
    },
  });
}

/** What answers, by the path of its method. */
function handlersFor(services: readonly DescService[]): ReadonlyMap<string, Handler> {
  const handlers = new Map<string, Handler>();
  // Of a package definition reflection reads the file descriptors alone, whichever kind of type carries them.
  const carrier = {
    format: "Protocol Buffer 3 EnumDescriptorProto" as const,
    type: {},
    fileDescriptorProtos: filesOf([...services.map(({ file }) => file), ...filesOfAll]).map((file) =>
      Buffer.from(toBinary(FileDescriptorProtoSchema, file.proto)),
    ),
  };
  new ReflectionService({ carrier }).addToServer({
    addService(definition, implementation) {
      for (const [name, { path }] of Object.entries(definition)) {
        handlers.set(path, implementation[name] as Handler);
      }
    },
  });
  return handlers;
}

const filesOfAll: readonly DescFile[] = [Health.file, ErrorInfoSchema.file, ErrorDetailsSchema.file];

/** The files, and all that they depend on. */
function filesOf(files: readonly DescFile[]): DescFile[] {
  const found = new Map<string, DescFile>();
  const visit = (file: DescFile) => {
    if (found.has(file.name)) return;
    found.set(file.name, file);
    file.dependencies.forEach(visit);
  };
  files.forEach(visit);
  return [...found.values()];
}
