import { afterAll, beforeAll, test } from "vitest";
import { expectRefusedOverHttp } from "./http-scenarios.ts";
import { type IndexUnderTest, startIndex } from "./index-under-test.ts";
import { scenarios } from "./scenarios/index.ts";

const MINUTES = 60_000;
let index: IndexUnderTest;

beforeAll(async () => {
  index = await startIndex();
});

afterAll(() => index.stop());

test.each(scenarios.filter(({ slow }) => slow))(
  "$code $meaning is refused over HTTP, after a while",
  (scenario) => expectRefusedOverHttp(scenario, index),
  10 * MINUTES,
);
