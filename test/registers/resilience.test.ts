import { afterEach, expect, it, vi } from "vitest";
import { NoAnswer } from "../../src/registers/exchange/failures.ts";
import { resilience } from "../../src/registers/exchange/resilience.ts";

const HALF_OPEN_MS = 1_000;
const DAY_MS = 86_400_000;
const NOW = new Date("2026-11-23T22:00:00.000Z");
const { signal } = new AbortController();

afterEach(() => vi.useRealTimers());

it.each([
  ["set back by a day", -DAY_MS],
  ["set forward by a day", DAY_MS],
])(
  "a register that was away is tried again after the same time when the clock was %s",
  async (_what, step) => {
    vi.useFakeTimers({ toFake: ["Date", "performance"], now: NOW });
    const run = resilience({ retries: 0, breakAfter: 1, halfOpenAfterMs: HALF_OPEN_MS });
    const attempt = vi.fn(async () => "answer");
    const away = async () => {
      throw new NoAnswer("unreachable");
    };
    await expect(run(away, signal)).rejects.toThrow(NoAnswer);

    vi.setSystemTime(NOW.getTime() + step);

    await expect(run(attempt, signal)).rejects.toThrow(NoAnswer);
    expect(attempt).not.toHaveBeenCalled();
    vi.advanceTimersByTime(HALF_OPEN_MS);
    await expect(run(attempt, signal)).resolves.toBe("answer");
  },
);

it("whoever is not sent to a register any more is told why it was away the last time", async () => {
  const run = resilience({ retries: 0, breakAfter: 2, halfOpenAfterMs: DAY_MS });
  const silentFor = (cause: Error) => run(() => Promise.reject(new NoAnswer("unreachable", cause)), signal);
  const [first, last] = [
    new Error("a name that is not found"),
    new Error("a certificate that is not trusted"),
  ];
  await expect(silentFor(first)).rejects.toThrow(NoAnswer);
  await expect(silentFor(last)).rejects.toThrow(NoAnswer);

  const attempt = vi.fn(async () => "answer");
  const notSent = run(attempt, signal);
  await expect(notSent).rejects.toMatchObject({ silence: "unreachable", cause: last });
  expect(attempt).not.toHaveBeenCalled();
});
