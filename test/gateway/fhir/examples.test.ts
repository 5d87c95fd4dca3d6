import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { decodeResource, encodeResource, parseJson, stringifyJson } from "../../../gateway/fhir/index.ts";
import { checkStructure } from "../../../src/structure/index.ts";
import { exampleSchemas, examplesOf, exampleText } from "../official-examples.ts";

describe.each(Object.entries(exampleSchemas))("the official R5 examples of %s", (type, schema) => {
  test.each(examplesOf(type))("%s comes out of JSON, message and bytes as it went in", (file) => {
    const text = exampleText(file);
    const decoded = decodeResource(schema, parseJson(text).value);
    expect(decoded.faults).toEqual([]);
    const message = fromBinary(schema, toBinary(schema, decoded.message as never));
    expect(message).toEqual(decoded.message);
    expect(checkStructure(schema, message)).toEqual([]);
    expect(withNumberTexts(stringifyJson(encodeResource(schema, message)))).toEqual(withNumberTexts(text));
  });
});

test("all 27 Patient examples are there", () => {
  expect(examplesOf("Patient")).toHaveLength(27);
});

/** Numbers as their source text; the index's own instant, whose offset changes, as the instant that it is. */
function withNumberTexts(text: string): unknown {
  return JSON.parse(text, (name, value, { source }) => {
    if (typeof value === "number") return { number: source };
    return name === "lastUpdated" ? Date.parse(String(value)) : value;
  });
}
