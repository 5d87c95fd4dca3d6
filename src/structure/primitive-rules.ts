import { getOption } from "@bufbuild/protobuf";
import { type PrimitiveRule, PrimitiveTypeSchema, primitive } from "#proto/patientindex/v1/fhir_pb.ts";

/** Whether a value of a message is one of the FHIR primitive type. */
export type PrimitiveTest = (value: unknown) => boolean;

/** As its rule says, which counts in fours: of several megabytes that takes more stack than a regular expression has. */
const BASE64 = { test: (text: string) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text) };

/** The tests of all primitive types, by FHIR name, made of the rules in fhir.proto. */
export const primitiveTests: ReadonlyMap<string, PrimitiveTest> = new Map(
  PrimitiveTypeSchema.values
    .map((value) => getOption(value, primitive))
    .map((rule) => [rule.name, rule.pattern === "" ? numberTest(rule) : textTest(rule)]),
);

function textTest({ name, pattern, maxLength }: PrimitiveRule): PrimitiveTest {
  const whole = name === "base64Binary" ? BASE64 : new RegExp(`^(?:${pattern})$`);
  return (value) => {
    const text = value as string;
    return (maxLength === 0 || text.length <= maxLength) && whole.test(text) && text.isWellFormed();
  };
}

function numberTest({ minValue, maxValue }: PrimitiveRule): PrimitiveTest {
  if (minValue === undefined || maxValue === undefined) return () => true;
  return (value) => (value as number) >= minValue && (value as number) <= maxValue;
}
