import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { paced } from "../../gateway/routes/pacing.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Gives so many numbers to a pace at once; what it has done so far is in `done`. */
function give(count: number, pace: Parameters<typeof paced>[0]) {
  const done: number[] = [];
  const inTurn = paced(pace);
  const giveMore = (more: number, from = done.length) => {
    for (let n = from; n < from + more; n++) inTurn(() => done.push(n));
  };
  giveMore(count);
  return { done, giveMore };
}

it("what is not much is done at once", () => {
  const { done, giveMore } = give(3, { perTick: 3, longestMs: 1000 });
  expect(done).toEqual([0, 1, 2]);
  vi.advanceTimersByTime(30);
  giveMore(3);
  expect(done).toHaveLength(6);
});

it("more than that waits, in its order", () => {
  const { done } = give(10, { perTick: 3, longestMs: 1000 });
  expect(done).toHaveLength(3);
  vi.advanceTimersByTime(10);
  expect(done).toHaveLength(6);
  vi.advanceTimersByTime(20);
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it("nothing waits longer than it may, however much there is", () => {
  const { done } = give(1000, { perTick: 3, longestMs: 50 });
  vi.advanceTimersByTime(40);
  expect(done).toHaveLength(3 + 4 * 3);
  vi.advanceTimersByTime(10);
  expect(done).toHaveLength(1000);
});

it("no timer is left when all is done", () => {
  give(10, { perTick: 3, longestMs: 50 });
  vi.advanceTimersByTime(100);
  expect(vi.getTimerCount()).toBe(0);
});
