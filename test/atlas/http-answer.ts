import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { callerHeaders } from "../callers.ts";
import type { Answer, ShownIssue } from "./answer.ts";
import type { HttpBytes, HttpRequest } from "./scenario.ts";

interface OperationOutcome {
  readonly resourceType: string;
  readonly issue: readonly {
    readonly severity: string;
    readonly code: string;
    readonly details: {
      readonly coding: readonly [{ readonly system: string; readonly code: string }];
      readonly text: string;
    };
    readonly diagnostics?: string;
    readonly expression?: readonly string[];
  }[];
}

/** Asks a gateway. The path is sent as it is, however malformed. */
export async function askHttp(
  { method, path, headers, body, as }: HttpRequest,
  origin: string,
  base: string,
  language: string,
): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  const caller = as === "nobody" ? {} : await callerHeaders(origin, as);
  const sent = httpRequest({
    hostname,
    port,
    method,
    path: base + path,
    headers: { "accept-language": language, ...caller, ...headers },
  });
  sent.end(typeof body === "object" ? JSON.stringify(body) : body);
  const response = await new Promise<import("node:http").IncomingMessage>((resolve, reject) => {
    sent.on("response", resolve).on("error", reject);
  });
  return answerOf(response.statusCode ?? 0, response.headers["content-type"], await text(response));
}

/** Writes bytes to a gateway and waits until it has answered and hung up. */
export async function writeHttp({ bytes }: HttpBytes, origin: string): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  const answer = await text(socket);
  const [head = "", body = ""] = answer.split("\r\n\r\n", 2);
  const contentType = /^content-type: (.*)$/im.exec(head)?.[1];
  return answerOf(Number(head.split(" ")[1]), contentType, body);
}

function answerOf(status: number, contentType: string | undefined, body: string): Answer {
  if (contentType !== "application/fhir+json; charset=utf-8") {
    throw new Error(`An answer of status ${status} and type ${contentType}: ${body.slice(0, 200)}`);
  }
  const outcome = JSON.parse(body) as OperationOutcome;
  if (outcome.resourceType !== "OperationOutcome") throw new Error(`Not refused: ${body.slice(0, 200)}`);
  return { status, issues: outcome.issue.map(shown) };
}

function shown({
  severity,
  code,
  details,
  diagnostics,
  expression,
}: OperationOutcome["issue"][0]): ShownIssue {
  const [coding] = details.coding;
  return {
    ...coding,
    severity,
    issueType: code,
    expressions: expression ?? [],
    text: details.text,
    diagnostics: diagnostics ?? "",
  };
}
