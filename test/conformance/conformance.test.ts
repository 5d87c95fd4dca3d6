import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningService, startService } from "../service.ts";
import { topics } from "./rules/index.ts";
import { allowedOrigins } from "./rules/negotiating.ts";
import { serverOf } from "./server.ts";

let service: RunningService;

beforeAll(async () => {
  service = await startService({ corsOrigins: [...allowedOrigins] });
});

afterAll(() => service.stop());

describe.each(topics)("$title", ({ rules }) => {
  test.each(rules)("$rule ($section)", async ({ holds }) => {
    const server = serverOf(service);
    await holds(server);
    expect(server.requests()).toBeGreaterThan(0);
  });
});

test("the checklist has sixty lines and more, each once, each with a section of R5", () => {
  const lines = topics.flatMap(({ rules }) => rules);
  expect(lines.length).toBeGreaterThanOrEqual(60);
  expect(new Set(lines.map(({ rule }) => rule)).size).toBe(lines.length);
  expect(lines.filter(({ section }) => !/^[a-z-]+\.html(?:#[\w-]+)?$/.test(section))).toEqual([]);
});
