import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { Server } from "@grpc/grpc-js";
import { ReflectionService } from "@grpc/reflection";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { Health } from "#proto/grpc/health/v1/health_pb.ts";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";

/**
 * Adds server reflection (v1 and v1alpha) for the services, from the descriptors in the generated code, and for what
 * every server has beside them: health, and the details of a refusal, which no method names.
 */
export function addReflection(server: Server, services: readonly DescService[]): void {
  // Of a package definition reflection reads the file descriptors alone, whichever kind of type carries them.
  const carrier = {
    format: "Protocol Buffer 3 EnumDescriptorProto" as const,
    type: {},
    fileDescriptorProtos: filesOf([...services.map(({ file }) => file), ...filesOfAll]).map((file) =>
      Buffer.from(toBinary(FileDescriptorProtoSchema, file.proto)),
    ),
  };
  new ReflectionService({ carrier }).addToServer(server);
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
