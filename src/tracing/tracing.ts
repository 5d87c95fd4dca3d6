import type { Logger } from "pino";
import type { Span, SpanAttributes, SpanKind } from "./span.ts";
import type { ReadHeader } from "./trace-parent.ts";

/** What a process tells of its work, so that one request can be followed through all that have a part in it. */
export interface Tracing {
  /** Begins work that is no part of other work here: it continues the trace that headers name, or begins one. */
  begin(name: string, kind: SpanKind, attributes: SpanAttributes, headers?: ReadHeader): Span;
  /** Sends what has not been sent, but waits no longer than two seconds for it. */
  stop(): Promise<void>;
}

export interface TracingOptions {
  /** Where traces are sent to: OTLP over HTTP. */
  readonly endpoint: string;
  /** The share of traces that is told, of those that begin here. */
  readonly sample: number;
  /** What this process is. */
  readonly service: string;
  readonly log: Pick<Logger, "warn">;
}
