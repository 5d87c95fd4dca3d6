import { AsyncLocalStorage } from "node:async_hooks";
import { TraceFlags } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SendingFailure } from "../../src/tracing/collector.ts";
import { SpanQueue } from "../../src/tracing/span-queue.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** What is sent at once. */
const BATCH = 512;
/** What waits at most. */
const MOST_WAITING = 8_192;

/** A collector that takes spans, does not for a status, or does not answer. */
class Collector {
  status: number | "hangs" = 200;
  /** How many spans each sending had. */
  readonly sent: number[] = [];
  readonly taken: ReadableSpan[] = [];
  answers: () => void = () => undefined;

  readonly send = async (spans: ReadableSpan[], signal: AbortSignal) => {
    this.sent.push(spans.length);
    if (this.status === "hangs") {
      await new Promise<void>((resolve, reject) => {
        this.answers = resolve;
        signal.addEventListener("abort", () => reject(new SendingFailure(undefined, signal.reason)));
      });
    } else if (this.status !== 200) throw new SendingFailure(this.status);
    this.taken.push(...spans);
  };
}

let collector: Collector;
let queue: SpanQueue;
let lines: { readonly lost?: number; readonly waiting?: number; readonly status?: number }[];

beforeEach(() => {
  vi.useFakeTimers();
  collector = new Collector();
  lines = [];
  queue = new SpanQueue(collector.send, { warn: (line: object) => void lines.push(line) });
});

afterEach(() => {
  vi.useRealTimers();
});

function tell(count: number, traceFlags = TraceFlags.SAMPLED): void {
  for (let n = 0; n < count; n++) {
    queue.onEnd({ spanContext: () => ({ traceId: "", spanId: String(n), traceFlags }) } as ReadableSpan);
  }
}

/** Lets time pass, and what is done meanwhile. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

it("spans wait a second for others, and a full batch for nothing", async () => {
  tell(BATCH - 1);
  await pass(SECOND_MS - 1);
  expect(collector.sent).toEqual([]);
  await pass(1);
  expect(collector.sent).toEqual([BATCH - 1]);
  tell(BATCH);
  await pass(0);
  expect(collector.sent).toEqual([BATCH - 1, BATCH]);
  await pass(MINUTE_MS);
  expect(collector.sent).toHaveLength(2);
});

it("one batch is under way at a time, and those that are full follow at once", async () => {
  collector.status = "hangs";
  tell(3 * BATCH + 1);
  await pass(MINUTE_MS);
  expect(collector.sent).toEqual([BATCH]);
  collector.status = 200;
  collector.answers();
  await pass(0);
  expect(collector.sent).toEqual([BATCH, BATCH, BATCH]);
  await pass(SECOND_MS);
  expect(collector.sent).toEqual([BATCH, BATCH, BATCH, 1]);
});

it("so many wait, whatever more there is; how many were lost is told when the collector is back", async () => {
  collector.status = "hangs";
  tell(BATCH + MOST_WAITING + 7);
  await pass(0);
  collector.status = 200;
  collector.answers();
  await pass(SECOND_MS);
  expect(collector.taken).toHaveLength(BATCH + MOST_WAITING);
  expect(lines).toEqual([{ lost: 7 }]);
});

it("a collector that is away is asked every five seconds, and told of once a minute", async () => {
  collector.status = 503;
  tell(BATCH);
  await pass(0);
  expect(collector.sent).toHaveLength(1);
  tell(BATCH);
  await pass(4 * SECOND_MS);
  expect(collector.sent).toHaveLength(1);
  await pass(SECOND_MS);
  expect(collector.sent).toHaveLength(2);
  expect(lines).toEqual([expect.objectContaining({ status: 503, waiting: BATCH, lost: 0 })]);
  await pass(MINUTE_MS);
  expect(lines).toHaveLength(2);
  collector.status = 200;
  await pass(5 * SECOND_MS);
  expect(collector.taken).toHaveLength(2 * BATCH);
});

it("spans that are sent again go before those that came after them", async () => {
  collector.status = 503;
  tell(BATCH + 1);
  await pass(0);
  collector.status = 200;
  await pass(MINUTE_MS);
  expect(collector.taken.map(({ spanContext }) => Number(spanContext().spanId))).toEqual([
    ...Array(BATCH + 1).keys(),
  ]);
});

it("sending is not the business of the call whose span begins it", async () => {
  const calls = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  queue = new SpanQueue(async () => void seen.push(calls.getStore()), { warn: () => undefined });
  calls.run("a call", () => tell(BATCH));
  await pass(0);
  expect(seen).toEqual([undefined]);
});

it("spans that a collector finds fault with are lost, and keep no others from being sent", async () => {
  collector.status = 400;
  tell(2 * BATCH);
  await pass(0);
  expect(collector.sent).toEqual([BATCH, BATCH]);
  expect(lines).toEqual([expect.objectContaining({ status: 400, lost: BATCH, waiting: BATCH })]);
  collector.status = 200;
  tell(1);
  await pass(MINUTE_MS);
  expect(collector.taken).toHaveLength(1);
});

it("a span that is not sampled is sent to nobody", async () => {
  tell(3, TraceFlags.NONE);
  await pass(MINUTE_MS);
  expect(collector.sent).toEqual([]);
});

it("a stop sends what waits, and nothing that ends afterwards", async () => {
  tell(3);
  await queue.stop(2 * SECOND_MS);
  expect(collector.sent).toEqual([3]);
  tell(1);
  expect(vi.getTimerCount()).toBe(0);
  expect(lines).toEqual([]);
});

it("a stop waits for what is under way, and sends the rest", async () => {
  collector.status = "hangs";
  tell(BATCH + 1);
  await pass(0);
  collector.status = 200;
  const stopped = queue.stop(2 * SECOND_MS);
  await pass(SECOND_MS);
  expect(collector.sent).toEqual([BATCH]);
  collector.answers();
  await stopped;
  expect(collector.taken).toHaveLength(BATCH + 1);
  expect(lines).toEqual([]);
});
