import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect } from "vitest";
import { spansOf, type TakenSpan } from "./otlp.ts";

/** Spans are sent in the background, after a second. */
export const WITHIN = { timeout: 60_000 };

/** A collector of traces: an HTTP server that keeps what is posted to it. */
export class Collector {
  readonly spans: TakenSpan[] = [];
  /** All that was posted, as it came. */
  readonly posts: Buffer[] = [];
  /** What it answers with; `hanging` keeps whoever posts waiting, `endless` takes what is posted with an answer that does not end. */
  status: number | "hanging" | "endless" = 200;
  /** How many came to it, whatever it answered. */
  asked = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(this.#answer);
  }

  static async start(port = 0): Promise<Collector> {
    const collector = new Collector();
    await new Promise<void>((resolve) => collector.#server.listen(port, "127.0.0.1", resolve));
    return collector;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** As the setting names it. */
  get endpoint(): string {
    return `http://127.0.0.1:${this.port}/v1/traces`;
  }

  /** The spans of the trace, once there are as many of each name as are named. */
  async trace(traceId: string, ...names: readonly string[]): Promise<TakenSpan[]> {
    const of = () => this.spans.filter((span) => span.traceId === traceId);
    const missing = () => {
      const told = of().map(({ name }) => name);
      return names.filter((name) => {
        const at = told.indexOf(name);
        if (at >= 0) told.splice(at, 1);
        return at < 0;
      });
    };
    await expect.poll(missing, WITHIN).toEqual([]);
    return of();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  readonly #answer: RequestListener = async (request, response) => {
    const body = await buffer(request);
    this.asked += 1;
    if (this.status === "hanging") return;
    const status = this.status === "endless" ? 200 : this.status;
    if (status === 200 && request.method === "POST" && request.url === "/v1/traces") {
      this.posts.push(body);
      this.spans.push(...spansOf(body));
    }
    response.writeHead(status, { "content-type": "application/x-protobuf" });
    if (this.status === "endless") response.write("x");
    else response.end();
  };
}

let traces = 0;

/** The headers of a caller who is in a trace of his own, and the id of that. */
export function inNewTrace(flags = "01") {
  traces += 1;
  const traceId = traces.toString(16).padStart(32, "a");
  const spanId = traces.toString(16).padStart(16, "b");
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
}

/** The one of that name; what it is a part of. */
export function named(spans: readonly TakenSpan[], name: string): TakenSpan {
  const found = spans.filter((span) => span.name === name);
  expect(found.map((one) => one.name)).toEqual([name]);
  return found[0] as TakenSpan;
}
