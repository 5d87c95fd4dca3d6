import { create, type DescMessage, type Message, type MessageShape } from "@bufbuild/protobuf";

type Blank = () => Record<string, unknown>;

const blanks = new Map<DescMessage, Blank>();

/**
 * A message without content that has all its properties already. One that `create` made gets those that are set one by
 * one, and V8 turns an object that gets more than a dozen in this way into a hash table, which takes longer to fill, to read and
 * above all to copy. What is not set is undefined either way.
 */
export function blankMessage<Schema extends DescMessage>(schema: Schema): MessageShape<Schema> {
  let blank = blanks.get(schema);
  if (!blank) {
    blank = blankOf(schema);
    blanks.set(schema, blank);
  }
  return blank() as MessageShape<Schema>;
}

function blankOf(schema: DescMessage): Blank {
  const zero = create(schema) as Message & Record<string, unknown>;
  const template = withProperties(["$typeName", ...schema.members.map(({ localName }) => localName)]);
  for (const name of Object.keys(template)) template[name] = zero[name];
  const lists = schema.members.filter((member) => member.kind === "field" && member.fieldKind === "list");
  const choices = schema.members.filter(({ kind }) => kind === "oneof");
  return () => {
    const message = { ...template };
    for (const { localName } of lists) message[localName] = [];
    for (const { localName } of choices) message[localName] = { case: undefined };
    return message;
  };
}

/** Parsed, because V8 gives a parsed object room for all of its properties in the object itself. */
function withProperties(names: readonly string[]): Record<string, unknown> {
  return JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))));
}
