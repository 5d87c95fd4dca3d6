import { expect, it } from "vitest";
import { continueIn, type Span } from "../../src/tracing/index.ts";
import { readTraceParent } from "../../src/tracing/trace-parent.ts";

const TRACE = "a".repeat(32);
const SPAN = "b".repeat(16);

function read(traceparent: string | undefined, tracestate?: string) {
  return readTraceParent((name) => (name === "traceparent" ? traceparent : tracestate));
}

it("what a caller says of its trace is read as it is written, flags in hexadecimal", () => {
  const parent = { traceId: TRACE, spanId: SPAN, state: undefined };
  expect(read(`00-${TRACE}-${SPAN}-01`)).toEqual({ ...parent, flags: 1 });
  expect(read(`00-${TRACE}-${SPAN}-1f`)).toEqual({ ...parent, flags: 31 });
  expect(read(`01-${TRACE}-${SPAN}-00-more`, "vendor=1")).toEqual({ ...parent, flags: 0, state: "vendor=1" });
});

it.each([
  undefined,
  "",
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${"0".repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
])("a traceparent of %j cannot be continued", (given) => {
  expect(read(given)).toBeUndefined();
});

it.each([
  ["too long", `vendor=${"1".repeat(510)}`],
  ["in other characters", "vendor=öö"],
  ["empty", ""],
])("a tracestate that is %s is not passed on", (_, state) => {
  expect(read(`00-${TRACE}-${SPAN}-01`, state)?.state).toBeUndefined();
});

it("whoever is asked gets the trace of the span, and its state or none", () => {
  const traceParent = `00-${TRACE}-${SPAN}-01`;
  const headers = new Headers({ traceparent: "of the caller", tracestate: "of the caller" });
  continueIn(headers, { traceParent, traceState: "vendor=1" } as Span);
  expect(Object.fromEntries(headers)).toEqual({ traceparent: traceParent, tracestate: "vendor=1" });
  continueIn(headers, { traceParent, traceState: undefined } as Span);
  expect(Object.fromEntries(headers)).toEqual({ traceparent: traceParent });
});
