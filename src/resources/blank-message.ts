import {
  create,
  type DescField,
  type DescMessage,
  type DescOneof,
  type MessageShape,
} from "@bufbuild/protobuf";

const makers = new Map<DescMessage, () => unknown>();

/** A message without content, made by `blankMessages`. */
export function blankMessage<Schema extends DescMessage>(schema: Schema): MessageShape<Schema> {
  let make = makers.get(schema);
  if (!make) {
    make = blankMessages(schema);
    makers.set(schema, make);
  }
  return make() as MessageShape<Schema>;
}

/**
 * Makes messages without content: what create() of protobuf-es makes for a proto3 message, with all properties of its type
 * in it from the start. To V8 an object that gets more than a dozen one by one is a hash table, slow to fill, read and above
 * all to copy. The code is made of descriptors alone, which are ours.
 */
export function blankMessages<Schema extends DescMessage>(schema: Schema): () => MessageShape<Schema> {
  const zero = create(schema) as unknown as Readonly<Record<string, unknown>>;
  const properties = schema.members.map(
    (member) => `${member.localName}: ${blank(member, zero[member.localName])}`,
  );
  return new Function(
    `return { $typeName: "${schema.typeName}", ${properties.join(", ")} };`,
  ) as () => MessageShape<Schema>;
}

/** Each message has lists and choices of its own. */
function blank(member: DescField | DescOneof, zero: unknown): string {
  if (member.kind === "oneof") return "{ case: undefined }";
  return member.fieldKind === "list" ? "[]" : `${JSON.stringify(zero)}`;
}
