import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type ErrorSystems, type Language, MpiError } from "../../src/errors/index.ts";
import { contracts } from "../exchange/contracts.ts";
import { failureAnswer } from "./failure.ts";

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
  const reader = { version, language, systems, isConditional: false };
  const { status, headers, body = "" } = failureAnswer(refusalOf(error), reader);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

function refusalOf(cause: NodeJS.ErrnoException): MpiError {
  switch (cause.code) {
    case "HPE_HEADER_OVERFLOW":
      return new MpiError("HEADERS_TOO_LARGE", {}, { cause });
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new MpiError("REQUEST_TOO_SLOW", {}, { cause });
    default:
      return new MpiError("REQUEST_UNREADABLE", {}, { cause });
  }
}
