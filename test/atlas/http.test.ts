import { afterAll, beforeAll, test } from "vitest";
import { expectRefusedOverHttp } from "./http-scenarios.ts";
import { type IndexUnderTest, startIndex } from "./index-under-test.ts";
import { scenarios } from "./scenarios/index.ts";

const overHttp = scenarios.filter(({ only, slow }) => only !== "grpc" && !slow);
let index: IndexUnderTest;

beforeAll(async () => {
  index = await startIndex();
});

afterAll(() => index.stop());

test.each(overHttp)("$code $meaning $expression is refused over HTTP", (scenario) =>
  expectRefusedOverHttp(scenario, index),
);
