import type { Span } from "./span.ts";

/** The span elsewhere that a request is part of. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  /** W3C trace-flags. */
  readonly flags: number;
  readonly state: string | undefined;
}

/** W3C Trace Context, 3.2; a later version may have more behind. */
const TRACE_PARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ONLY_ZEROS = /^0+$/;
/** Longer ones need not be passed on (3.3.1.5), and nothing of the kind has other characters. */
const TRACE_STATE = /^[ -~]{1,512}$/;

/** Reads a header by its name. */
export type ReadHeader = (name: "traceparent" | "tracestate") => string | null | undefined;

/** What `traceparent` and `tracestate` say; undefined when they say nothing that can be continued. */
export function readTraceParent(read: ReadHeader): TraceParent | undefined {
  const [, version, traceId = "", spanId = "", flags = "", more] =
    TRACE_PARENT.exec(read("traceparent") ?? "") ?? [];
  if (version === undefined || (version === "00" && more !== undefined)) return undefined;
  if (ONLY_ZEROS.test(traceId) || ONLY_ZEROS.test(spanId)) return undefined;
  const state = read("tracestate") ?? "";
  return {
    traceId,
    spanId,
    flags: Number.parseInt(flags, 16),
    state: TRACE_STATE.test(state) ? state : undefined,
  };
}

/** Has whoever gets these headers continue the trace of the span. */
export function continueIn(
  headers: Pick<Headers, "set" | "delete">,
  { traceParent, traceState }: Span,
): void {
  headers.set("traceparent", traceParent);
  // Without a traceparent of its own it means nothing.
  if (traceState === undefined) headers.delete("tracestate");
  else headers.set("tracestate", traceState);
}
