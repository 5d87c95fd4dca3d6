import { randomUUID } from "node:crypto";
import { ROOT_CONTEXT, type SpanContext, type Tracer, trace } from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from "@opentelemetry/sdk-trace";
import { sendToCollector } from "./collector.ts";
import { begun } from "./sdk-span.ts";
import type { Span, SpanAttributes, SpanKind } from "./span.ts";
import { SpanQueue } from "./span-queue.ts";
import { type ReadHeader, readTraceParent, type TraceParent } from "./trace-parent.ts";
import type { Tracing, TracingOptions } from "./tracing.ts";

/** What is left of the time to stop is for the other parts of the process. */
const LAST_SENDING_MS = 2_000;

/** Tracing by the SDK of OpenTelemetry, set up by what it is given alone: no OTEL_ variable is read. */
export class SdkTracing implements Tracing {
  readonly #tracer: Tracer;
  readonly #queue: SpanQueue;

  constructor({ endpoint, sample, service, log }: TracingOptions) {
    this.#queue = new SpanQueue(sendToCollector(endpoint), log);
    const provider = new TracerProvider({
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sample) }),
      resource: resourceFromAttributes({
        "service.name": service,
        "service.instance.id": randomUUID(),
        "process.pid": process.pid,
      }),
      spanProcessors: [this.#queue],
    });
    this.#tracer = provider.getTracer("patient-index");
  }

  begin(name: string, kind: SpanKind, attributes: SpanAttributes, headers?: ReadHeader): Span {
    const parent = headers && readTraceParent(headers);
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, contextOf(parent)) : ROOT_CONTEXT;
    return begun(this.#tracer, { name, kind, attributes, context, traceState: parent?.state });
  }

  async stop(): Promise<void> {
    await this.#queue.stop(LAST_SENDING_MS);
  }
}

/** Without `tracestate`: whoever sent it decides what is in it, so it is passed on, but not told. */
function contextOf({ traceId, spanId, flags }: TraceParent): SpanContext {
  return { traceId, spanId, traceFlags: flags, isRemote: true };
}
