import {
  type DescField,
  type DescMessage,
  type Message,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { blankMessages } from "./blank-message.ts";
import { compiled, type NameOf } from "./compiled-code.ts";
import { refuseUncompiled } from "./compiled-types.ts";
import { scalarMethod, scalarOf, wireTypeOf } from "./scalars.ts";
import { readTextEntry } from "./text-maps.ts";

/** Reads messages of one type. */
interface MessageReader {
  /** A message without content. */
  readonly blank: () => unknown;
  /** Adds what the bytes up to `end` hold to a message, which is the so manyeth in others, and gives it back. */
  read(reader: BinaryReader, end: number, message: unknown, depth: number): unknown;
}

/** Messages in each other, as many as protobuf-es takes. */
const MOST_DEPTH = 100;

const readers = new Map<DescMessage, MessageReader>();

/**
 * The message in these bytes: that of fromBinary of protobuf-es, in a third of its time, with all properties of its type in
 * it from the start (blank-message.ts). Throws as that does for bytes that are none.
 */
export function readMessage<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
): MessageShape<Schema> {
  const own = readerOf(schema);
  return own.read(new BinaryReader(bytes), bytes.length, own.blank(), 1) as MessageShape<Schema>;
}

/** Compiled when it is used first: types contain each other. */
function readerOf(schema: DescMessage): MessageReader {
  const known = readers.get(schema);
  if (known) return known;
  refuseUncompiled(schema);
  const own: MessageReader = {
    blank: blankMessages(schema),
    read(...given) {
      own.read = compiled((nameOf) => readerCode(schema, nameOf));
      return own.read(...given);
    },
  };
  readers.set(schema, own);
  return own;
}

function readerCode({ fields }: DescMessage, nameOf: NameOf): string {
  const cases = fields.map((field) => `case ${field.number}: ${fieldCode(field, nameOf)} break;`);
  return `(reader, end, message, depth) => {
    if (depth > ${MOST_DEPTH}) ${nameOf(refuseDepth)}();
    while (reader.pos < end) {
      const [number, wireType] = reader.tag();
      switch (number) {
        ${cases.join("\n")}
        default: ${nameOf(keepUnknown)}(reader, message, { no: number, wireType }, depth);
      }
    }
    return message;
  }`;
}

function refuseDepth(): never {
  throw new Error(`More than ${MOST_DEPTH} messages lie in each other.`);
}

/** What a newer build has stored in a field that this one does not know is kept. */
function keepUnknown(
  reader: BinaryReader,
  message: Message,
  { no, wireType }: { readonly no: number; readonly wireType: WireType },
  depth: number,
): void {
  const data = reader.skip(wireType, no, MOST_DEPTH - depth);
  message.$unknown ??= [];
  message.$unknown.push({ no, wireType, data });
}

function fieldCode(field: DescField, nameOf: NameOf): string {
  const { oneof, localName } = field;
  const value = `message.${localName}`;
  if (field.fieldKind === "map") return `${nameOf(readTextEntry)}(reader, ${value});`;
  if (field.fieldKind === "list") return listCode(field, value, nameOf);
  if (!oneof) return `${value} = ${valueCode(field, value, nameOf)};`;
  const choice = `message.${oneof.localName}`;
  const before = `(${choice}.case === "${localName}" ? ${choice}.value : undefined)`;
  return `${choice} = { case: "${localName}", value: ${valueCode(field, before, nameOf)} };`;
}

/** Values of a list may stand together, without a tag of their own, but for messages, texts and bytes. */
function listCode(field: DescField & { fieldKind: "list" }, list: string, nameOf: NameOf): string {
  const one = `${list}.push(${valueCode(field, "undefined", nameOf)});`;
  if (field.message || wireTypeOf(scalarOf(field)) === WireType.LengthDelimited) return one;
  return `if (wireType !== ${WireType.LengthDelimited}) { ${one} break; }
    for (const end = reader.uint32() + reader.pos; reader.pos < end; ) ${one}`;
}

/** A message that comes in several parts is one. */
function valueCode(field: DescField, before: string, nameOf: NameOf): string {
  if (!field.message) {
    const scalar = scalarOf(field);
    const isStrict = scalar === ScalarType.STRING && field.utf8Validation;
    return `reader.${scalarMethod(scalar)}(${isStrict ? "true" : ""})`;
  }
  const child = nameOf(readerOf(field.message));
  return `${child}.read(reader, reader.uint32() + reader.pos, ${before} ?? ${child}.blank(), depth + 1)`;
}
