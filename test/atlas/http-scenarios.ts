import { expect } from "vitest";
import { expectRefusal, readersOf, understoodReader } from "./expect-refusal.ts";
import { askHttp, writeHttp } from "./http-answer.ts";
import type { IndexUnderTest } from "./index-under-test.ts";
import type { Scenario } from "./scenario.ts";

/** Asks a scenario of the gateway in the name of every reader: each is refused as expected, and nothing is written. */
export async function expectRefusedOverHttp(scenario: Scenario, index: IndexUnderTest): Promise<void> {
  const { http, after } = await scenario.prepare(index);
  if (http === undefined) throw new Error("The scenario has no request to the FHIR interface.");
  const before = await index.digest();
  for (const reader of readersOf(scenario)) {
    const base = `/${reader.version}/fhir`;
    const answer =
      "bytes" in http
        ? await writeHttp(http, index.url)
        : await askHttp(http, http.origin ?? index.url, http.base ?? base, reader.language);
    expectRefusal(answer, "http", scenario, understoodReader(scenario, reader));
  }
  await after?.();
  expect(await index.digest()).toBe(before);
}
