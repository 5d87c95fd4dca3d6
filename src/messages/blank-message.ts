import {
  create,
  type DescField,
  type DescMessage,
  type DescOneof,
  type MessageShape,
} from "@bufbuild/protobuf";
import { compiled } from "./compiled-code.ts";

/**
 * Makes messages without content: what create() of protobuf-es makes for a proto3 message, with all properties of its type
 * in it from the start. To V8 an object that gets more than a dozen one by one is a hash table, slow to fill, read and above
 * all to copy.
 */
export function blankMessages<Schema extends DescMessage>(schema: Schema): () => MessageShape<Schema> {
  const zero = create(schema) as unknown as Readonly<Record<string, unknown>>;
  const properties = schema.members.map(
    (member) => `${member.localName}: ${blank(member, zero[member.localName])}`,
  );
  return compiled(() => `() => ({ $typeName: "${schema.typeName}", ${properties.join(", ")} })`);
}

/** Each message has lists, maps and choices of its own. */
function blank(member: DescField | DescOneof, zero: unknown): string {
  if (member.kind === "oneof") return "{ case: undefined }";
  if (member.fieldKind === "list") return "[]";
  if (member.fieldKind === "map") return "{}";
  if (zero instanceof Uint8Array) return "new Uint8Array(0)";
  return typeof zero === "bigint" ? `${zero}n` : `${JSON.stringify(zero)}`;
}
