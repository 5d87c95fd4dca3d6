import { create, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import fc from "fast-check";

type Draw = fc.GeneratorValue;

/** Messages of a type with anything in their fields; those in them lie at most so deep. */
export function anyMessage(schema: DescMessage, depth = 4): fc.Arbitrary<Message> {
  return fc.gen().map((draw) => message(draw, schema, depth));
}

function message(draw: Draw, schema: DescMessage, depth: number): Message {
  const filled = schema.members.flatMap((member): [string, unknown][] => {
    if (!draw(fc.boolean)) return [];
    if (member.kind === "field") return [[member.localName, field(draw, member, depth)]];
    const chosen = member.fields[draw(fc.nat, { max: member.fields.length - 1 })];
    const value = chosen && single(draw, chosen, depth);
    return value === undefined ? [] : [[member.localName, { case: chosen?.localName, value }]];
  });
  return create(schema, Object.fromEntries(filled));
}

function field(draw: Draw, one: DescField, depth: number): unknown {
  if (one.fieldKind === "map") return draw(fc.dictionary<string>, fc.string(), text, { maxKeys: 3 });
  if (one.fieldKind !== "list") return single(draw, one, depth);
  const items = Array.from({ length: draw(fc.nat, { max: 3 }) }, () => single(draw, one, depth));
  return items.filter((item) => item !== undefined);
}

function single(draw: Draw, { message: type, enum: names, scalar }: DescField, depth: number): unknown {
  if (type) return depth > 0 ? message(draw, type, depth - 1) : undefined;
  // An enum may have numbers that its values have not.
  return draw(scalarOf, names ? ScalarType.INT32 : (scalar ?? ScalarType.STRING));
}

const text = fc.oneof(
  fc.string({ maxLength: 100 }),
  fc.string({ unit: "binary", maxLength: 40 }).filter((one) => one.isWellFormed()),
);

function scalarOf(type: ScalarType): fc.Arbitrary<unknown> {
  switch (type) {
    case ScalarType.STRING:
      return text;
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.BYTES:
      return fc.uint8Array({ maxLength: 200 });
    case ScalarType.DOUBLE:
      return fc.double();
    case ScalarType.FLOAT:
      return fc.float();
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return fc.nat({ max: 2 ** 32 - 1 });
    default:
      return fc.integer();
  }
}
