import { type DescField, type DescMessage, type DescOneof, getOption, hasOption } from "@bufbuild/protobuf";
import fc from "fast-check";
import { ElementSchema, ExtensionSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { choice_min, element, resource_type } from "#proto/patientindex/v1/fhir_pb.ts";

export type Json = fc.JsonValue;
type JsonObject = Record<string, Json>;

const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .filter((one) => /^[^\p{Cc}]+$/u.test(one));
const token = fc.stringMatching(/^[a-z0-9.:/-]{1,12}$/);

const values: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  base64Binary: fc.base64String({ minLength: 4, maxLength: 16 }),
  boolean: fc.boolean(),
  canonical: token,
  code: token,
  date: fc.constantFrom("2024", "2024-02", "2024-02-29"),
  dateTime: fc.constantFrom("2024", "2024-02-29T10:00:00.10+02:00"),
  decimal: fc.oneof(
    fc.integer(),
    fc.integer().map((hundredths) => hundredths / 128),
  ),
  id: fc.stringMatching(/^[A-Za-z0-9.-]{1,64}$/),
  instant: fc.constantFrom("2024-02-29T10:00:00Z", "1999-12-31T23:59:60.5-05:00"),
  integer: fc.integer(),
  integer64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  markdown: text,
  oid: fc.constantFrom("urn:oid:1.2.3"),
  positiveInt: fc.integer({ min: 1 }),
  string: text,
  time: fc.constantFrom("10:00:00"),
  unsignedInt: fc.nat(),
  uri: token,
  url: token,
  uuid: fc.uuid().map((uuid) => `urn:uuid:${uuid}`),
  xhtml: fc.constant('<div xmlns="http://www.w3.org/1999/xhtml">x</div>'),
};

/** What the index sets itself and shows with another offset: the only text that does not come back as it went in. */
const OWN_INSTANT = fc.constantFrom("2024-01-01T02:00:00.000+02:00", "2024-07-01T02:00:00.123456789+03:00");

const known = new Map<string, fc.Arbitrary<JsonObject>>();

/** Legal FHIR JSON of a message type, down to a number of levels: required elements and a few of the others. */
export function fhirArbitrary(desc: DescMessage, levels: number): fc.Arbitrary<JsonObject> {
  const key = `${desc.typeName} ${levels}`;
  const made = known.get(key) ?? makeArbitrary(desc, levels);
  known.set(key, made);
  return made;
}

function makeArbitrary(desc: DescMessage, levels: number): fc.Arbitrary<JsonObject> {
  const members = desc.members.map(elementsOf).filter((fields) => fields.length > 0);
  const required = members.filter(isRequired);
  const others = members.filter((fields) => !isRequired(fields)).map((fields) => fields.filter(fits));
  const usable = others.filter((fields) => fields.length > 0);
  const type = hasOption(desc, resource_type) ? { resourceType: getOption(desc, resource_type) } : {};
  const isExtension = desc.typeName === ExtensionSchema.typeName;
  const minLength = required.length > 0 || "resourceType" in type ? 0 : 1;
  const some = isExtension
    ? fc.constantFrom(...usable.filter(isContentOfExtension)).map((fields) => [fields])
    : fc.subarray(usable, { minLength, maxLength: Math.min(usable.length, 4) });
  return some
    .chain((chosen) => fc.tuple(...[...required, ...chosen].map((fields) => memberOf(fields, levels))))
    .map((parts) => Object.assign({ ...type }, ...parts) as JsonObject);

  function fits(field: DescField): boolean {
    return levels > 1 || primitiveValue(field) !== undefined;
  }
}

/** A value or extensions: one of the two is what an extension has (ext-1). */
function isContentOfExtension([first]: readonly DescField[]): boolean {
  return first?.oneof !== undefined || first?.name === "extension";
}

function elementsOf(member: DescField | DescOneof): readonly DescField[] {
  const fields = member.kind === "oneof" ? member.fields : [member];
  return fields.filter((field) => hasOption(field, element));
}

function isRequired([first]: readonly DescField[]): boolean {
  if (first === undefined) return false;
  return (first.oneof === undefined ? getOption(first, element).min : getOption(first.oneof, choice_min)) > 0;
}

function memberOf(fields: readonly DescField[], levels: number): fc.Arbitrary<JsonObject> {
  return fc.constantFrom(...fields).chain((field) => elementOf(field, levels));
}

function elementOf(field: DescField, levels: number): fc.Arbitrary<JsonObject> {
  const value = primitiveValue(field);
  if (value !== undefined) return primitiveOf(field, value, levels);
  const item = itemOf(field, levels - 1);
  const content = field.fieldKind === "list" ? fc.array(item, { minLength: 1, maxLength: 2 }) : item;
  return content.map((json) => ({ [field.jsonName]: json }));
}

function primitiveValue(field: DescField): fc.Arbitrary<Json> | undefined {
  const value = values[getOption(field, element).type];
  return value !== undefined && field.message !== undefined ? OWN_INSTANT : value;
}

/** A primitive with or without its id and extensions, or with them alone. */
function primitiveOf(field: DescField, value: fc.Arbitrary<Json>, levels: number): fc.Arbitrary<JsonObject> {
  const name = field.jsonName;
  const own = field.parent.fields.some((other) => other.name === `${field.name}_element`);
  const extended = own && levels > 1 ? fhirArbitrary(ElementSchema, levels - 1) : fc.constant(null);
  const part = fc
    .tuple(value, extended, fc.constantFrom("value", "both", "element"))
    .map(([json, element, which]): [Json, Json] => {
      if (element === null || which === "value") return [json, null];
      return [which === "element" ? null : json, element];
    });
  if (field.fieldKind !== "list") return part.map(([json, element]) => given(name, json, element));
  return fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => {
    const elements = parts.map(([, element]) => element);
    const jsons = parts.map(([json]) => json);
    return given(name, jsons, elements.every((one) => one === null) ? null : elements);
  });
}

function given(name: string, json: Json, element: Json): JsonObject {
  return {
    ...(json === null ? {} : { [name]: json }),
    ...(element === null ? {} : { [`_${name}`]: element }),
  };
}

function itemOf(field: DescField, levels: number): fc.Arbitrary<Json> {
  if (field.message === undefined) throw new Error(`${field.name} is no message`);
  if (getOption(field, element).type !== "Resource") return fhirArbitrary(field.message, levels);
  const typed = field.message.fields.flatMap(({ message }) =>
    message ? [fhirArbitrary(message, levels)] : [],
  );
  const other: Json = { resourceType: "Basic", code: { text: "x" }, any: [1, null, {}] };
  return fc.oneof<fc.Arbitrary<Json>[]>(...typed, fc.constant(other));
}
