import { afterEach, beforeEach, it } from "vitest";
import { expectSerialisable } from "./clients-at-once.ts";
import { expectModelHolds } from "./link-commands.ts";
import { type LinkageUnderTest, openLinkage } from "./linked-patients.ts";

let opened: LinkageUnderTest;

beforeEach(async () => {
  opened = await openLinkage();
});

afterEach(async () => {
  await opened.close();
});

it("links are those of the model after any acts", { timeout: 900_000 }, async () => {
  await expectModelHolds(opened, 60, 80);
});

it.each([
  [4, 100, 4],
  [16, 60, 8],
  [16, 60, 30],
])("links of %i clients at once, %i acts each on %i patients", { timeout: 600_000 }, async (...counts) => {
  await expectSerialisable(opened, ...counts);
});
