import { type DescEnumValue, getOption } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { type PrimitiveRule, PrimitiveTypeSchema, primitive } from "#proto/patientindex/v1/fhir_pb.ts";
import { parseInstant, tallinnInstant } from "./instants.ts";
import { numberText } from "./number-text.ts";

/** A value as JSON.parse gives it, or a number kept as text by JSON.rawJSON. */
export type JsonValue = unknown;

/** How values of a FHIR primitive type stand in JSON and in messages. */
export interface PrimitiveCodec {
  /** FHIR type, such as dateTime. */
  readonly type: string;
  readonly jsonType: "string" | "number" | "boolean";
  /** The value of the message for a value of the right JSON type; undefined when it is none of this type. */
  readonly decode: (json: JsonValue) => unknown;
  readonly encode: (value: unknown) => JsonValue;
}

const INTEGER64 = /^(?:0|[-+]?[1-9][0-9]{0,18})$/;
/** As its rule says, which counts in fours: of several megabytes that takes more stack than a regular expression has. */
const BASE64 = { test: (text: string) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text) };
const LARGEST_INTEGER = 2_147_483_647;

/** The codecs of all primitive types, by FHIR name, made of the rules in fhir.proto. */
export const primitiveCodecs: ReadonlyMap<string, PrimitiveCodec> = new Map(
  PrimitiveTypeSchema.values
    .map(ruleOf)
    .filter((rule) => rule.name !== "")
    .map((rule) => [rule.name, codecOf(rule)]),
);

/** The codec of `Meta.lastUpdated`, an instant that messages hold as google.protobuf.Timestamp. */
export const timestampCodec: PrimitiveCodec = {
  type: "instant",
  jsonType: "string",
  decode: (json) => {
    const text = primitiveCodecs.get("instant")?.decode(json);
    return text === undefined ? undefined : parseInstant(text as string);
  },
  encode: (value) => tallinnInstant(value as Timestamp),
};

function ruleOf(value: DescEnumValue): PrimitiveRule {
  return getOption(value, primitive);
}

function codecOf(rule: PrimitiveRule): PrimitiveCodec {
  switch (rule.name) {
    case "boolean":
      return { type: rule.name, jsonType: "boolean", decode: same, encode: same };
    case "integer":
    case "positiveInt":
    case "unsignedInt":
      return { type: rule.name, jsonType: "number", decode: integerDecoder(rule), encode: same };
    case "integer64":
      return { type: rule.name, jsonType: "string", decode: decodeInteger64, encode: String };
    case "decimal":
      return { type: rule.name, jsonType: "number", decode: decimalDecoder(rule), encode: encodeDecimal };
    default:
      return { type: rule.name, jsonType: "string", decode: textDecoder(rule), encode: same };
  }
}

function same(value: unknown): unknown {
  return value;
}

function textDecoder(rule: PrimitiveRule): (json: JsonValue) => unknown {
  const pattern = rule.name === "base64Binary" ? BASE64 : patternOf(rule);
  const longest = rule.maxLength === 0 ? Number.POSITIVE_INFINITY : rule.maxLength;
  return (json) => {
    const text = json as string;
    return text.length <= longest && pattern.test(text) && text.isWellFormed() ? text : undefined;
  };
}

function integerDecoder(rule: PrimitiveRule): (json: JsonValue) => unknown {
  const smallest = rule.minValue ?? -LARGEST_INTEGER - 1;
  const largest = rule.maxValue ?? LARGEST_INTEGER;
  return (json) => {
    if (typeof json !== "number" || !Number.isInteger(json)) return undefined;
    return json >= smallest && json <= largest ? json : undefined;
  };
}

function decodeInteger64(json: JsonValue): bigint | undefined {
  const text = json as string;
  if (!INTEGER64.test(text)) return undefined;
  const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function decimalDecoder(rule: PrimitiveRule): (json: JsonValue) => unknown {
  const pattern = patternOf(rule);
  return (json) => {
    const text = numberText(json);
    return text !== undefined && pattern.test(text) ? text : undefined;
  };
}

function encodeDecimal(value: unknown): JsonValue {
  const text = value as string;
  const number = Number(text);
  return String(number) === text ? number : JSON.rawJSON(text);
}

function patternOf(rule: PrimitiveRule): RegExp {
  return new RegExp(`^(?:${rule.pattern})$`);
}
