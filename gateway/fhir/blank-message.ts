import type { DescField, DescMessage, DescOneof } from "@bufbuild/protobuf";

/** A message or a part of one, by the names of its fields. */
export type MessageNode = Record<string, unknown>;

/**
 * Makes messages without content: what create() of protobuf-es makes for a proto3 message, with all properties of its type
 * in it from the start. To V8 an object that gets more than a dozen one by one is a hash table, slow to fill, read and copy.
 * The code is made of descriptors alone, which are ours.
 */
export function blankMessages(desc: DescMessage): () => MessageNode {
  const properties = desc.members.map((member) => `${member.localName}: ${blank(member)}`);
  return new Function(
    `return { $typeName: "${desc.typeName}", ${properties.join(", ")} };`,
  ) as () => MessageNode;
}

function blank(member: DescField | DescOneof): string {
  if (member.kind === "oneof") return "{ case: undefined }";
  if (member.fieldKind === "list") return "[]";
  return isTextWithoutPresence(member) ? `""` : "undefined";
}

function isTextWithoutPresence(field: DescField): boolean {
  return field.fieldKind === "scalar" && field.oneof === undefined && field.proto.proto3Optional !== true;
}
