import { afterAll, beforeAll, expect, it } from "vitest";
import { matchPatients } from "../../../src/matching/index.ts";
import { matchStore, patientStore } from "../../../src/storage/index.ts";
import { verifiedPatient } from "../../patients/examples.ts";
import { interrupted } from "../interrupted.ts";
import { type MatchingUnderTest, openMatching } from "./matching-under-test.ts";

let opened: MatchingUnderTest;

beforeAll(async () => {
  opened = await openMatching();
});

afterAll(async () => {
  await opened.close();
});

it.each([1, 2, 3, 4, 5, 6])(
  "$match shows a group by its primary when it was linked right after statement %i",
  async (statement) => {
    const birthDate = `195${statement}-02-03`;
    const [lower, upper] = [await opened.add(["fin/ni"], { birthDate }), await opened.add()];
    const database = interrupted(opened.database, statement, async () => {
      await opened.link(lower, upper);
    });
    const matching = {
      patients: { ...opened.index, store: patientStore(database, opened.ring) },
      store: matchStore(database, opened.ring),
    };
    const resource = verifiedPatient({ identifier: [], birthDate });
    const request = { resource, onlyCertainMatches: false, onlySingleMatch: false, count: 100 };
    const { matches } = await matchPatients(matching, request);
    const types = matches.flatMap(({ patient }) => patient.link.map(({ type }) => type));
    expect(matches.map(({ patient }) => patient.id)).toContain(types.length > 0 ? upper : lower);
    expect(types).not.toContain("replaced-by");
  },
);
