import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { TraceFlags } from "@opentelemetry/api";
import type { ReadableSpan, SpanProcessor } from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import { causesOf } from "../errors/index.ts";
import { SendingFailure, type SendSpans } from "./collector.ts";

/** Spans that wait to be sent, at most; what more there is while a collector is away is lost. */
const MOST_WAITING = 8_192;
const BATCH = 512;
/** How long spans wait for others to go with them. */
const INTERVAL_MS = 1_000;
const AFTER_FAILURE_MS = 5_000;
/** A collector that is away is told of that often. */
const TOLD_EVERY_MS = 60_000;

/**
 * Sends spans in the background, a batch at a time. Nobody waits for it: a collector that is away, slow or hangs costs
 * spans and no more.
 */
export class SpanQueue implements SpanProcessor {
  readonly #send: SendSpans;
  readonly #log: Pick<Logger, "warn">;
  readonly #stopping = new AbortController();
  /** Sending is not the business of the work that happens to begin it, nor are lines of the log about it. */
  readonly #apart = AsyncLocalStorage.snapshot();
  #waiting: ReadableSpan[] = [];
  #sending: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lost = 0;
  #isFailing = false;
  #tellFrom = 0;

  constructor(send: SendSpans, log: Pick<Logger, "warn">) {
    this.#send = send;
    this.#log = log;
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0 || this.#stopping.signal.aborted) return;
    if (this.#waiting.length >= MOST_WAITING) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(span);
    if (this.#sending) return;
    // After a failure a full batch waits for its time as well.
    if (this.#waiting.length >= BATCH && !this.#isFailing) this.#sendNow();
    else this.#schedule(INTERVAL_MS);
  }

  async forceFlush(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#stopping.signal.aborted && (await this.#sendOnce()));
  }

  async shutdown(): Promise<void> {
    await this.forceFlush();
  }

  /** Sends what waits, and gives up what is not sent within the time. */
  async stop(limitMs: number): Promise<void> {
    clearTimeout(this.#timer);
    const running = this.#sending;
    const flushed = (async () => {
      await running;
      await this.forceFlush();
    })();
    await Promise.race([flushed, delay(limitMs, undefined, { ref: false })]);
    this.#stopping.abort();
    await flushed;
    const lost = this.#lost + this.#waiting.length;
    this.#waiting = [];
    if (lost > 0) this.#log.warn({ lost }, "traces were not sent before the stop");
  }

  #schedule(ms: number): void {
    this.#timer ??= setTimeout(() => this.#sendNow(), ms).unref();
  }

  #sendNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending = this.#apart(() => this.#sendAll()).finally(() => {
      this.#sending = undefined;
      if (this.#waiting.length > 0 && !this.#stopping.signal.aborted) {
        this.#schedule(this.#isFailing ? AFTER_FAILURE_MS : INTERVAL_MS);
      }
    });
  }

  /** As long as batches are full: what is less goes with what comes next. */
  async #sendAll(): Promise<void> {
    do {
      if (!(await this.#sendOnce())) return;
    } while (this.#waiting.length >= BATCH);
  }

  /** Whether the collector can be sent more. */
  async #sendOnce(): Promise<boolean> {
    const batch = this.#waiting.splice(0, BATCH);
    try {
      await this.#send(batch, this.#stopping.signal);
      this.#tellSuccess();
      return true;
    } catch (error) {
      const mayPass = error instanceof SendingFailure && error.mayPass;
      if (mayPass) this.#waiting.unshift(...batch);
      else this.#lost += batch.length;
      this.#tellFailure(error);
      return !mayPass;
    }
  }

  #tellFailure(error: unknown): void {
    this.#isFailing = true;
    if (this.#stopping.signal.aborted || !this.#isTimeToTell()) return;
    const status = error instanceof SendingFailure && error.status !== undefined && { status: error.status };
    const line = { ...status, waiting: this.#waiting.length, lost: this.#lost, causes: causesOf(error) };
    this.#log.warn(line, "traces could not be sent (MPI_TRACES_ENDPOINT)");
  }

  #tellSuccess(): void {
    this.#isFailing = false;
    if (this.#lost === 0 || !this.#isTimeToTell()) return;
    this.#log.warn({ lost: this.#lost }, "traces were lost: the collector was away, or there were too many");
    this.#lost = 0;
  }

  #isTimeToTell(): boolean {
    const now = performance.now();
    if (now < this.#tellFrom) return false;
    this.#tellFrom = now + TOLD_EVERY_MS;
    return true;
  }
}
