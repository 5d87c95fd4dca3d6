import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";

/** Sends spans to the collector; rejects with a SendingFailure. */
export type SendSpans = (spans: ReadableSpan[], signal: AbortSignal) => Promise<void>;

/** The collector did not take spans. */
export class SendingFailure extends Error {
  override readonly name = "SendingFailure";
  /** The status of its answer, if it gave one. */
  readonly status: number | undefined;

  constructor(status: number | undefined, cause?: unknown) {
    super("The collector of traces did not take them.", { cause });
    this.status = status;
  }

  /**
   * Whether the same spans may be taken later. After any other status OTLP forbids to send them again: one batch that a
   * collector always fails on would keep all the others waiting.
   */
  get mayPass(): boolean {
    return this.status === undefined || MAY_PASS.has(this.status);
  }
}

const MAY_PASS: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

const LONGEST_MS = 10_000;

/** Sending by OTLP over HTTP, in its binary form. */
export function sendToCollector(endpoint: string): SendSpans {
  return async (spans, signal) => {
    const body = ProtobufTraceSerializer.serializeRequest(spans);
    if (!body) return;
    const status = await statusOf(endpoint, body, AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]));
    if (status < 200 || status > 299) throw new SendingFailure(status);
  };
}

async function statusOf(endpoint: string, body: Uint8Array, signal: AbortSignal): Promise<number> {
  try {
    const response = await fetch(endpoint, {
      method: "POST",
      headers: { "content-type": "application/x-protobuf" },
      body: body as Uint8Array<ArrayBuffer>,
      redirect: "error",
      signal,
    });
    // Of what it says nothing is wanted, but the connection is used again when all of it has come. Where it does not, the
    // status holds all the same: spans that were taken are not sent twice.
    await response.body?.pipeTo(new WritableStream()).catch(() => undefined);
    return response.status;
  } catch (cause) {
    throw new SendingFailure(undefined, cause);
  }
}
