import {
  type DescField,
  type DescMessage,
  type Message,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { compiled, type NameOf } from "./compiled-code.ts";
import { refuseUncompiled } from "./compiled-types.ts";
import { scalarMethod, scalarOf, wireTypeOf } from "./scalars.ts";
import { writeTextMap } from "./text-maps.ts";

/** Writes messages of one type. */
interface MessageWriter {
  write(writer: BinaryWriter, message: unknown): void;
}

const writers = new Map<DescMessage, MessageWriter>();

/** The bytes of a message: those of toBinary of protobuf-es, in half of its time. */
export function writeMessage<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
): Uint8Array<ArrayBuffer> {
  const writer = spare ?? new BinaryWriter();
  // Taken away: when writing fails it is left in the middle, and nobody gets it.
  spare = undefined;
  writerOf(schema).write(writer, message);
  const bytes = writer.finish();
  if (bytes.length <= MOST_KEPT) spare = writer;
  return bytes;
}

/** The writer of the message before: the memory that it has is not to be got bit by bit again. */
let spare: BinaryWriter | undefined;
/** The writer of a message of more bytes is not kept. */
const MOST_KEPT = 65_536;

/** Compiled when it is used first: types contain each other. */
function writerOf(schema: DescMessage): MessageWriter {
  const known = writers.get(schema);
  if (known) return known;
  refuseUncompiled(schema);
  const own: MessageWriter = {
    write(writer, message) {
      own.write = compiled((nameOf) => writerCode(schema, nameOf));
      own.write(writer, message);
    },
  };
  writers.set(schema, own);
  return own;
}

/** In the order of the numbers, as everybody writes them. */
function writerCode({ fields }: DescMessage, nameOf: NameOf): string {
  const inOrder = fields.toSorted((one, other) => one.number - other.number);
  const steps = inOrder.map((field) => fieldCode(field, nameOf));
  return `(writer, message) => {
    ${steps.join("\n")}
    if (message.$unknown !== undefined) ${nameOf(writeUnknown)}(writer, message.$unknown);
  }`;
}

/** What a newer build has stored in a field that this one does not know is kept. */
function writeUnknown(writer: BinaryWriter, unknown: NonNullable<Message["$unknown"]>): void {
  for (const { no, wireType, data } of unknown) writer.tag(no, wireType).raw(data);
}

function fieldCode(field: DescField, nameOf: NameOf): string {
  const { oneof, localName, number } = field;
  const value = `message.${localName}`;
  if (field.fieldKind === "map") return `${nameOf(writeTextMap)}(writer, ${number}, ${value});`;
  if (field.fieldKind === "list") return listCode(field, value, nameOf);
  if (!oneof) return `if (${isThere(field, value)}) { ${valueCode(field, value, nameOf)} }`;
  const choice = `message.${oneof.localName}`;
  return `if (${choice}.case === "${localName}") { ${valueCode(field, `${choice}.value`, nameOf)} }`;
}

/** A field that does not tell whether it is there is written unless it is what it would be without. */
function isThere(field: DescField, value: string): string {
  if (field.fieldKind === "message" || field.presence !== IMPLICIT) return `${value} !== undefined`;
  switch (scalarOf(field)) {
    case ScalarType.STRING:
      return `${value} !== ""`;
    case ScalarType.BOOL:
      return `${value} !== false`;
    case ScalarType.BYTES:
      return `${value}.length > 0`;
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return `!Object.is(${value}, 0)`;
    default:
      // A number or a bigint.
      return `${value} != 0`;
  }
}

/** FeatureSet.FieldPresence.IMPLICIT of descriptor.proto. */
const IMPLICIT = 2;

function listCode(field: DescField & { fieldKind: "list" }, list: string, nameOf: NameOf): string {
  if (!field.packed) return `for (const value of ${list}) { ${valueCode(field, "value", nameOf)} }`;
  const method = scalarMethod(scalarOf(field));
  return `if (${list}.length > 0) {
    ${tagCode(field, WireType.LengthDelimited)}.fork();
    for (const value of ${list}) writer.${method}(value);
    writer.join();
  }`;
}

function valueCode(field: DescField, value: string, nameOf: NameOf): string {
  if (!field.message) {
    const scalar = scalarOf(field);
    return `${tagCode(field, wireTypeOf(scalar))}.${scalarMethod(scalar)}(${value});`;
  }
  const begin = `${tagCode(field, WireType.LengthDelimited)}.fork();`;
  return `${begin} ${nameOf(writerOf(field.message))}.write(writer, ${value}); writer.join();`;
}

function tagCode({ number }: DescField, wireType: WireType): string {
  return `writer.uint32(${((number << 3) | wireType) >>> 0})`;
}
