import { afterAll, beforeAll, expect, it } from "vitest";
import { soughtBlocks } from "../../../src/matching/blocking/match-blocks.ts";
import { personOf } from "../../../src/matching/comparison/person.ts";
import { verifiedPatient } from "../../patients/examples.ts";
import { type MatchingUnderTest, openMatching } from "./matching-under-test.ts";

const BORN = "1971-03-07";
const MEGABYTE = 1_000_000;
const MARI = [{ family: "Mägi", given: ["Mari"] }];
const ILMA = [{ family: "Kask", given: ["Ilma"] }];
const near = [BORN, "1971-07-03", "1971-03-27", "1971-11-07", "1917-03-07", "1971-03", "1971", "1969"];
const elsewhen = ["1971-11-27", "1999-03-27", "1969-12-31"];

let opened: MatchingUnderTest;

beforeAll(async () => {
  opened = await openMatching();
  for (const birthDate of [...near, ...elsewhen]) await opened.add(["fin/ni"], { birthDate, name: MARI });
});

afterAll(async () => {
  await opened.close();
});

it("namesakes who were born on quite another day are left out where the birth date decides", async () => {
  expect(await birthDates(BORN)).toEqual(new Set(near));
});

it("all namesakes are candidates where it does not", async () => {
  expect(await birthDates(undefined)).toEqual(new Set([...near, ...elsewhen]));
});

it("somebody who shares a telephone number is one whenever he was born", async () => {
  const telecom = [{ system: "phone", value: "+3725551234" }];
  await opened.add(["fin/ni"], { birthDate: "1950-01-01", telecom, name: MARI });
  expect(await birthDates(BORN, telecom)).toEqual(new Set([...near, "1950-01-01"]));
});

it("those who are more than a page come in slices, all of them", async () => {
  const extension = [
    {
      url: "https://example.ee/remark",
      value: { case: "valueString" as const, value: "x".repeat(MEGABYTE) },
    },
  ];
  const born = Array.from({ length: 7 }, (_, day) => [`1971-03-1${day}`, `1951-01-2${day}`]).flat();
  for (const birthDate of born) await opened.add(["fin/ni"], { birthDate, extension, name: ILMA });
  const found = await birthDates(BORN, [], ILMA);
  expect(found.intersection(new Set(born))).toEqual(new Set(born.filter((day) => day.startsWith("1971"))));
});

/** Birth dates of the candidates for a namesake of everybody who was born on that day. */
async function birthDates(
  bornAbout: string | undefined,
  telecom: { system: string; value: string }[] = [],
  name: { family: string; given: string[] }[] = MARI,
) {
  const sought = verifiedPatient({ identifier: [], birthDate: BORN, telecom, name });
  const blocks = soughtBlocks(personOf(sought));
  const found = new Set<string | undefined>();
  for await (const { candidates } of opened.matches.candidates({ blocks, bornAbout }, [], 300)) {
    for (const { patient } of candidates) found.add(patient.birthDate);
  }
  return found;
}
