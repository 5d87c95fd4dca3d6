import { getEventListeners } from "node:events";
import { Code } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CallSignal } from "../../../gateway/transport/call-signal.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it.each([0, -1])("a call with %d ms left is over before it begins", (timeoutMs) => {
  expect(new CallSignal(undefined, timeoutMs).signal.reason).toMatchObject({ code: Code.DeadlineExceeded });
  expect(vi.getTimerCount()).toBe(0);
});

it("a call is over when its time is, or its caller has gone", () => {
  const caller = new AbortController();
  const [late, left] = [new CallSignal(caller.signal, 10), new CallSignal(caller.signal, undefined)];
  vi.advanceTimersByTime(10);
  caller.abort(new Error("gone"));
  expect(late.signal.reason).toMatchObject({ code: Code.DeadlineExceeded });
  expect(left.signal.reason).toMatchObject({ code: Code.Canceled });
  expect(new CallSignal(caller.signal, 10).signal.aborted).toBe(true);
});

it("a call that has ended leaves nothing with its caller, who may make many more, and no timer", () => {
  const caller = new AbortController();
  const call = new CallSignal(caller.signal, 10);
  call.end();
  expect(getEventListeners(caller.signal, "abort")).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
  caller.abort();
  expect(call.signal.aborted).toBe(false);
});
