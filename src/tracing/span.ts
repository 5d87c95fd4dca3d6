/** Whether the work is done for somebody elsewhere, asked of somebody elsewhere, or neither. */
export type SpanKind = "server" | "client" | "internal";

/**
 * All that a span may say beside its name, by the semantic conventions of OpenTelemetry, and `mpi.` for what is ours. The list
 * is closed, for nothing may be found in a trace that tells of a person: no path, no query, no text of a message.
 */
export interface SpanAttributes {
  readonly "http.request.method"?: string | undefined;
  readonly "http.request.resend_count"?: number | undefined;
  readonly "http.response.status_code"?: number | undefined;
  /** The pattern of a route. */
  readonly "http.route"?: string | undefined;
  readonly "url.scheme"?: string | undefined;
  readonly "rpc.system.name"?: "grpc" | undefined;
  readonly "rpc.method"?: string | undefined;
  readonly "rpc.status_code"?: string | undefined;
  /** As a setting names it, never as a caller does. */
  readonly "server.address"?: string | undefined;
  readonly "server.port"?: number | undefined;
  readonly "db.system.name"?: "postgresql" | undefined;
  readonly "db.operation.name"?: string | undefined;
  readonly "db.query.summary"?: string | undefined;
  /** By which the request is found in the logs. */
  readonly "mpi.request_id"?: string | undefined;
  /** Why a request was refused: a reason of docs/errors.md. */
  readonly "mpi.reason"?: string | undefined;
  readonly "mpi.register"?: string | undefined;
  readonly "mpi.register.service"?: string | undefined;
}

/** A piece of work in a trace, from its beginning to its end. One that is not sampled is told to nobody. */
export interface Span {
  readonly traceId: string;
  /** What those who are asked on its behalf are told: W3C `traceparent`. */
  readonly traceParent: string;
  /** `tracestate` as it came, for those who are asked as well. */
  readonly traceState: string | undefined;
  /** Begins a part of this work. Of very many parts of one span only the first are told. */
  child(name: string, kind: SpanKind, attributes?: SpanAttributes): Span;
  set(attributes: SpanAttributes): void;
  /** With the kind of error that it ended with (a code, the name of a class; no text), if that is a fault. */
  end(error?: string): void;
}

/** What a line of the log says of a trace, by the name that OpenTelemetry gives it there. */
export function traceOf(span: Span | undefined): { readonly trace_id?: string } {
  return span ? { trace_id: span.traceId } : {};
}

/** What kind of error was thrown, in a word that holds no value. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : error.name;
}
