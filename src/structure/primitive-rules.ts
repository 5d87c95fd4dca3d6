import { getOption } from "@bufbuild/protobuf";
import { type PrimitiveRule, PrimitiveTypeSchema, primitive } from "#proto/patientindex/v1/fhir_pb.ts";

/** Whether a value of a message is one of the FHIR primitive type. */
export type PrimitiveTest = (value: unknown) => boolean;

/** The tests of all primitive types, by FHIR name, made of the rules in fhir.proto. */
export const primitiveTests: ReadonlyMap<string, PrimitiveTest> = new Map(
  PrimitiveTypeSchema.values
    .map((value) => getOption(value, primitive))
    .map((rule) => [rule.name, rule.pattern === "" ? numberTest(rule) : textTest(rule)]),
);

function textTest({ pattern, maxLength }: PrimitiveRule): PrimitiveTest {
  const whole = new RegExp(`^(?:${pattern})$`);
  return (value) => {
    const text = value as string;
    return (maxLength === 0 || text.length <= maxLength) && whole.test(text) && text.isWellFormed();
  };
}

function numberTest({ minValue, maxValue }: PrimitiveRule): PrimitiveTest {
  if (minValue === undefined || maxValue === undefined) return () => true;
  return (value) => (value as number) >= minValue && (value as number) <= maxValue;
}
