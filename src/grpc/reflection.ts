import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { Server } from "@grpc/grpc-js";
import { ReflectionService } from "@grpc/reflection";

/** Adds server reflection (v1 and v1alpha) for the services, from the descriptors in the generated code. */
export function addReflection(server: Server, services: readonly DescService[]): void {
  // Of a package definition reflection reads the file descriptors alone, whichever kind of type carries them.
  const carrier = {
    format: "Protocol Buffer 3 EnumDescriptorProto" as const,
    type: {},
    fileDescriptorProtos: filesOf(services).map((file) =>
      Buffer.from(toBinary(FileDescriptorProtoSchema, file.proto)),
    ),
  };
  new ReflectionService({ carrier }).addToServer(server);
}

function filesOf(services: readonly DescService[]): DescFile[] {
  const found = new Map<string, DescFile>();
  const visit = (file: DescFile) => {
    if (found.has(file.name)) return;
    found.set(file.name, file);
    file.dependencies.forEach(visit);
  };
  for (const service of services) visit(service.file);
  return [...found.values()];
}
