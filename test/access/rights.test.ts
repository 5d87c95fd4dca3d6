import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { interactions, type Role, roles } from "./expected-rights.ts";
import { probes } from "./probes.ts";
import { type Records, startRecords } from "./records.ts";
import { everyScope, walked, walks } from "./walk.ts";

/** Interactions of the specification that are not offered until now. */
const NOT_OFFERED: readonly string[] = ["keys"];

/** One of every group, and of the consumers each: they differ in whom they represent. */
const SOME_ROLES: readonly Role[] = roles.filter(
  (role) => !/^(?:midwife|nurse|speech-therapist|physiotherapist|steward)$/.test(role),
);

let records: Records;

beforeAll(async () => {
  records = await startRecords();
});

afterAll(() => records.stop());

test("every interaction of the specification that is offered is asked for", () => {
  const asked = new Set(probes.map(({ interaction }) => interaction));
  expect(interactions.filter((name) => !asked.has(name))).toEqual(NOT_OFFERED);
  expect([...asked].filter((name) => !interactions.includes(name))).toEqual([]);
});

// The long tier walks all of it: every way of asking, every role, with and without scopes.
describe("One way of asking for each interaction:", () => {
  const byInteraction = Map.groupBy(walks, ({ interaction }) => interaction);
  const alternating = [...byInteraction.values()].flatMap((ways, at) => ways[at % 2] ?? ways[0] ?? []);
  test.each(alternating)(
    "$interaction ($way) is done for those who may, and for nobody else",
    async (walk) => {
      const scope = walk.place % 3 === 0 ? everyScope : "";
      const { found, expected } = await walked(records, walk, SOME_ROLES, scope);
      expect(found).toEqual(expected);
    },
  );
});
