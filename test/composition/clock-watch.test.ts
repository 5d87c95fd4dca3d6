import { afterEach, expect, it, vi } from "vitest";
import { secondsAhead, watchClock } from "../../src/composition/clock-watch.ts";

const NOW = Date.UTC(2026, 5, 1, 12);
const HOUR_MS = 3_600_000;

afterEach(() => {
  vi.useRealTimers();
});

/** A clock that goes on by so much while the database answers. */
function clockThatTakes(answerMs: number): () => number {
  let asked = 0;
  return () => NOW + answerMs * asked++;
}

it.each([
  { database: NOW - HOUR_MS, ahead: 3_600 },
  { database: NOW + HOUR_MS, ahead: -3_599 },
  { database: NOW, ahead: 0 },
  { database: NOW + 500, ahead: 0 },
  { database: NOW + 1_000, ahead: 0 },
])(
  "a clock that differs from the database's by less than its answer took is right: $ahead s",
  async ({ database, ahead }) => {
    expect(await secondsAhead(async () => new Date(database), clockThatTakes(1_000))).toBe(ahead);
  },
);

it("a clock that differs is told of at the start and once an hour, until it is right", async () => {
  vi.useFakeTimers();
  const told: unknown[] = [];
  let theirs = NOW - HOUR_MS;
  const stop = await watchClock(
    async () => new Date(theirs),
    { warn: (details: object) => void told.push(details) },
    () => NOW,
  );
  expect(told).toEqual([{ secondsAhead: 3_600 }]);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(told).toHaveLength(2);
  theirs = NOW - 1_000;
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(told).toHaveLength(2);
  await stop();
});
