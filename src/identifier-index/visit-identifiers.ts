import type { DescMessage, Message } from "@bufbuild/protobuf";
import { type Identifier, IdentifierSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { visitingMessages } from "../structure/index.ts";

const visit = visitingMessages(({ typeName }) => typeName === IdentifierSchema.typeName);

/**
 * Calls `visited` for every Identifier anywhere in a resource (in extensions, references and contained resources
 * too), always in the same order for the same content.
 */
export function visitIdentifiers(
  schema: DescMessage,
  message: Message,
  visited: (identifier: Identifier) => void,
): void {
  visit(schema, message, visited as (message: Message) => void);
}
