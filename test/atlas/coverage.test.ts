import { expect, test } from "vitest";
import type { Meaning } from "../../src/errors/index.ts";
import { notRaised } from "../../src/errors/occurrences/not-raised.ts";
import { raised } from "../../src/errors/occurrences/raised.ts";
import { everyMeaning } from "../errors/catalogue-entries.ts";
import { chainMeanings } from "./register-chains.ts";
import type { Way } from "./scenario.ts";
import { scenarios } from "./scenarios/index.ts";

/** The ways in which the atlas asks for each meaning. */
const asked = new Map<Meaning, Set<Way>>();
for (const { meaning, only } of scenarios) {
  const ways: Way[] = only === undefined ? ["grpc", "http"] : [only];
  asked.set(meaning, new Set([...(asked.get(meaning) ?? []), ...ways]));
}

// The chains of registers' errors, which are asked for in both ways.
for (const meaning of chainMeanings) asked.set(meaning, new Set(["grpc", "http"]));

test("every meaning is said to be raised, or not to be, and never both", () => {
  expect([...Object.keys(raised), ...Object.keys(notRaised)].sort()).toEqual([...everyMeaning].sort());
});

test("the atlas has a scenario of every meaning that is said to be raised, and of no other", () => {
  expect([...asked.keys()].sort()).toEqual(Object.keys(raised).sort());
});

test("it asks in every way in which the meaning is said to be raised, and in no other", () => {
  const found = Object.fromEntries([...asked].map(([meaning, ways]) => [meaning, [...ways].sort()]));
  const said = Object.entries(raised).map(([meaning, occurrence]) => {
    const only = "only" in occurrence ? occurrence.only?.toLowerCase() : undefined;
    return [meaning, only === undefined ? ["grpc", "http"] : [only]];
  });
  expect(found).toEqual(Object.fromEntries(said));
});
