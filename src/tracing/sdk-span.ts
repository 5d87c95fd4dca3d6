import {
  type Attributes,
  type Context,
  type Span as SdkSpan,
  SpanKind as SdkSpanKind,
  type SpanContext,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Span, SpanAttributes, SpanKind } from "./span.ts";

interface Beginning {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: SpanAttributes;
  /** What the span is a part of. */
  readonly context: Context;
  readonly traceState: string | undefined;
}

const KINDS = {
  server: SdkSpanKind.SERVER,
  client: SdkSpanKind.CLIENT,
  internal: SdkSpanKind.INTERNAL,
} as const;

/** A job may ask a register a million times, and a stream may go on for days: nobody could read such a trace. */
const MOST_CHILDREN = 200;

export function begun(tracer: Tracer, { name, kind, attributes, context, traceState }: Beginning): Span {
  const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: attributes as Attributes }, context);
  return span.isRecording()
    ? new RecordedSpan(tracer, span, context, traceState)
    : new UnrecordedSpan(span.spanContext(), traceState);
}

class RecordedSpan implements Span {
  readonly traceState: string | undefined;
  readonly #tracer: Tracer;
  readonly #span: SdkSpan;
  readonly #context: Context;
  #children = 0;

  constructor(tracer: Tracer, span: SdkSpan, context: Context, traceState: string | undefined) {
    this.#tracer = tracer;
    this.#span = span;
    this.#context = context;
    this.traceState = traceState;
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get traceParent(): string {
    return traceParentOf(this.#span.spanContext());
  }

  child(name: string, kind: SpanKind, attributes: SpanAttributes = {}): Span {
    const { traceState } = this;
    this.#children += 1;
    // Those who are asked on its behalf tell nothing either.
    if (this.#children > MOST_CHILDREN) {
      return new UnrecordedSpan({ ...this.#span.spanContext(), traceFlags: 0 }, traceState);
    }
    const context = trace.setSpan(this.#context, this.#span);
    return begun(this.#tracer, { name, kind, attributes, context, traceState });
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes as Attributes);
  }

  end(error?: string): void {
    if (!this.#span.isRecording()) return;
    const untold = this.#children - MOST_CHILDREN;
    if (untold > 0) this.#span.setAttribute("mpi.untold_children", untold);
    if (error !== undefined) {
      this.#span.setAttribute("error.type", error);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

/** Work in a trace of which nothing is told: those who are asked on its behalf learn that. */
class UnrecordedSpan implements Span {
  readonly traceState: string | undefined;
  readonly #context: SpanContext;

  constructor(context: SpanContext, traceState: string | undefined) {
    this.#context = context;
    this.traceState = traceState;
  }

  get traceId(): string {
    return this.#context.traceId;
  }

  get traceParent(): string {
    return traceParentOf(this.#context);
  }

  child(): Span {
    return this;
  }

  set(): void {}

  end(): void {}
}

function traceParentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}
