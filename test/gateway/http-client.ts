import { connect } from "node:net";
import { fetchAs, type TestCaller } from "../callers.ts";

/** An answer with its body read as JSON; undefined when there is none, or XML. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came and states what it must be.
  readonly json: any;
}

export interface HttpRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** In whose name it is sent, a doctor's unless given; headers of the request go before his. */
  readonly as?: TestCaller | "nobody";
}

interface Outcome {
  readonly resourceType?: string;
  readonly issue?: readonly { readonly details: { readonly coding: readonly { readonly code: string }[] } }[];
}

/** The codes of an answer that is an OperationOutcome, one of each issue. */
export function codesOf({ json }: Pick<HttpAnswer, "json">): string[] {
  return codesIn(json);
}

/** The codes of an OperationOutcome, one of each issue; none of another resource. */
export function codesIn({ issue = [] }: Outcome): string[] {
  return issue.map(({ details }) => details.coding[0]?.code ?? "");
}

/** Sends a request; a body without a Content-Type goes as FHIR JSON. */
export async function send(url: string, request: HttpRequest = {}): Promise<HttpAnswer> {
  const { as, ...init } = request;
  const headers = new Headers(request.headers);
  if (request.body !== undefined && !headers.has("content-type")) {
    headers.set("content-type", "application/fhir+json");
  }
  const response = await fetchAs(url, { ...init, headers }, as);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text === "" || text.startsWith("<?xml") ? undefined : JSON.parse(text),
  };
}

/** Sends bytes as they are and gives back what came until the other side hung up. */
export function sendBytes(
  url: string,
  bytes: string,
): Promise<{ status: number; text: string; json: unknown }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const [head = "", body = ""] = text.split("\r\n\r\n");
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
      resolve({ status, text, json: body.startsWith("{") ? JSON.parse(body) : undefined });
    });
    socket.write(bytes);
  });
}
