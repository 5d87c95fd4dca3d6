import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stopOnce } from "../../src/lifecycle/stop-once.ts";

const LIMIT_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A service that is stopped, by a promise of ours, and what is told of it. */
function stopping() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const told: unknown[] = [];
  const service = { stop: vi.fn(() => promise) };
  const stop = stopOnce(service, {
    limitMs: LIMIT_MS,
    stopped: () => void told.push("stopped"),
    failed: (error) => void told.push(error),
  });
  return { stop, stops: service.stop, told, resolve, reject };
}

it("a service is stopped once, however often it is told to", async () => {
  const { stop, stops, told, resolve } = stopping();
  expect([stop(), stop(), stop()]).toEqual([true, false, false]);
  resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(stops).toHaveBeenCalledTimes(1);
  expect(told).toEqual(["stopped"]);
});

it("why it did not stop as it should is told before it is said to have stopped", async () => {
  const { stop, told, reject } = stopping();
  stop();
  const failure = new Error("The database hangs.");
  reject(failure);
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual([failure, "stopped"]);
});

it("one that takes too long is ended as it is, as a failure", async () => {
  const said = vi.spyOn(console, "error").mockReturnValue(undefined);
  const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  const { stop } = stopping();
  stop();
  await vi.advanceTimersByTimeAsync(LIMIT_MS - 1);
  expect(exit).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
  expect(said).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("1000 ms"));
});
