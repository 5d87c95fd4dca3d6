import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { SearchParameterSchema } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { type ParameterRules, readParameters, unsuitable } from "../../src/search/index.ts";

const RULES: ParameterRules<string[]> = {
  day: { repeatable: true, criterion: true, read: note },
  id: { manyValues: true, criterion: true, read: note },
  batch: { manyValues: true, repeatable: true, ownLimit: true, criterion: true, read: note },
};

function note(values: readonly string[], draft: string[]): undefined {
  draft.push(...values);
}

/** What is wrong with these parameters, and how many values were read. */
function read(lenient: boolean, ...parameters: readonly (readonly [name: string, value: string])[]) {
  const values: string[] = [];
  const given = parameters.map(([name, value]) => create(SearchParameterSchema, { name, value }));
  const { faults } = readParameters(RULES, given, values, lenient);
  return { faults, values: values.length };
}

const times = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);

test("a search of more than a thousand parameters is refused for the one that is too much, and none is read", () => {
  const days = (count: number) => times(count, ["day", "2020-01-01"] as const);
  expect(read(false, ...days(1000))).toEqual({ faults: [], values: 1000 });
  expect(read(false, ["id", "7"], ...days(1000))).toEqual({ faults: [unsuitable("day")], values: 0 });
  const unknown = times(1000, ["a", ""] as const);
  expect(read(true, ...unknown, ["id", "7"])).toEqual({ faults: [unsuitable("id")], values: 0 });
});

test("a search of more values than have room over HTTP is refused for the parameter with those that are too many", () => {
  const ids = (count: number) => ["id", times(count, "7").join()] as const;
  expect(read(false, ids(6000))).toEqual({ faults: [], values: 6000 });
  expect(read(false, ids(6001))).toEqual({ faults: [unsuitable("id")], values: 0 });
  expect(read(false, ["day", "2020-01-01"], ids(6000))).toEqual({ faults: [unsuitable("id")], values: 0 });
});

test("what has a limit of its own is not counted", () => {
  const batch = times(2000, ["batch", times(10, "x").join()] as const);
  expect(read(false, ...batch, ["day", "2020-01-01"])).toEqual({ faults: [], values: 20_001 });
});
