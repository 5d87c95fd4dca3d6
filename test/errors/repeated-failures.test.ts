import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { RepeatedFailures } from "../../src/errors/index.ts";

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function refused(code: string): Error {
  return Object.assign(new Error("refused"), { code });
}

function logged() {
  const lines: { readonly details: object; readonly message: string }[] = [];
  const failures = new RepeatedFailures((details, message) => lines.push({ details, message }));
  return { lines, failures };
}

it("work that fails every second for one reason has a line with its causes, and a minute later one with how often", () => {
  const { lines, failures } = logged();
  for (let second = 0; second < 60; second++) {
    failures.note(refused("42P01"), "publishing failed");
    vi.advanceTimersByTime(1_000);
  }
  expect(lines).toEqual([
    { message: "publishing failed", details: { causes: [expect.objectContaining({ code: "42P01" })] } },
    {
      message: "work failed again for the same reason",
      details: { failures: 59, reason: "publishing failed: Error 42P01" },
    },
  ]);
});

it("has its causes again after that minute, and nothing is said when it failed once", () => {
  const { lines, failures } = logged();
  failures.note(refused("42P01"), "publishing failed");
  vi.advanceTimersByTime(MINUTE);
  failures.note(refused("42P01"), "publishing failed");
  expect(lines.map(({ message }) => message)).toEqual(["publishing failed", "publishing failed"]);
});

it("other work, and another reason, has lines of its own", () => {
  const { lines, failures } = logged();
  failures.note(refused("42P01"), "publishing failed");
  failures.note(refused("57P01"), "publishing failed");
  failures.note(refused("42P01"), "looking for jobs failed");
  failures.note(new Error("wrapped", { cause: refused("42P01") }), "publishing failed");
  expect(lines).toHaveLength(4);
});
