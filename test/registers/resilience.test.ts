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
