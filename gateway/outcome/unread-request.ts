import type { Socket } from "node:net";
import { type ErrorSystems, type Language, MpiError } from "../../src/errors/index.ts";
import { contracts } from "../exchange/contracts.ts";
import { failureAnswer } from "./failure.ts";

const reasonPhrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

/**
 * Answers bytes that are no HTTP request, or one too slow or with headers too large, for which there is no request
 * object: an OperationOutcome in the default language, written to the socket, which is closed.
 */
export function answerUnreadRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { language, systems }: { readonly language: Language; readonly systems: ErrorSystems },
): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [{ version }] = contracts;
  const refusal = new MpiError("FHIR_SERVER_ERROR", {}, { cause: error });
  const { headers, body = "" } = failureAnswer(refusal, { version, language, systems, ifMatch: false });
  const status = statusOf(error.code);
  const lines = [
    `HTTP/1.1 ${status} ${reasonPhrases[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

function statusOf(code: string | undefined): number {
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
}
