import { Code, createHandlerContext, type HandlerContext } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BatchedCallContext } from "../../../src/grpc/calls/batched-call-context.ts";
import { EchoService } from "../echo-service.ts";

/** Longer than a timer of Node can run. */
const FAR_MS = 4_000_000_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function callWith(timeoutMs: number | undefined, batch: HandlerContext): BatchedCallContext {
  return new BatchedCallContext(EchoService.method.say, { requestHeader: new Headers(), timeoutMs }, batch);
}

function batchWith(options: { readonly timeoutMs?: number; readonly requestSignal?: AbortSignal } = {}) {
  return createHandlerContext({
    service: EchoService,
    method: EchoService.method.repeat,
    protocolName: "grpc",
    requestMethod: "POST",
    url: "http://core/batch",
    ...options,
  });
}

it("a call has the time that it came with, however long the batch may take", () => {
  const call = callWith(1_000, batchWith({ timeoutMs: 60_000 }));
  expect(call.timeoutMs()).toBe(1_000);
  vi.advanceTimersByTime(999);
  expect(call.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(call.signal.reason).toMatchObject({ code: Code.DeadlineExceeded });
});

it("one that came without has that of the batch", () => {
  expect(callWith(undefined, batchWith({ timeoutMs: 60_000 })).timeoutMs()).toBe(60_000);
  expect(callWith(undefined, batchWith()).timeoutMs()).toBeUndefined();
});

it("one whose time ends very late is not ended at once", () => {
  const call = callWith(FAR_MS, batchWith());
  vi.advanceTimersByTime(1_000);
  expect(call.signal.aborted).toBe(false);
});

it("one that has ended waits for nothing any more", () => {
  const call = callWith(1_000, batchWith());
  call.end();
  expect(vi.getTimerCount()).toBe(0);
});

it("one of a batch that was cancelled meanwhile does not begin", () => {
  const hungUp = AbortSignal.abort(new Error("gone"));
  expect(callWith(undefined, batchWith({ requestSignal: hungUp })).signal.aborted).toBe(true);
});
