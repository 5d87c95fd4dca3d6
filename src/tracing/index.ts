export { openTracing } from "./open-tracing.ts";
export { requestIdOf } from "./request-id.ts";
export { errorTypeOf, type Span, type SpanAttributes, type SpanKind, traceOf } from "./span.ts";
export { continueIn, type ReadHeader } from "./trace-parent.ts";
export type { Tracing } from "./tracing.ts";
