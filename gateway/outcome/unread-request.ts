import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type ErrorSystems, type Language, MpiError } from "../../src/errors/index.ts";
import { contracts } from "../exchange/contracts.ts";
import { failureAnswer } from "./failure.ts";

/** Language and error systems of answers for which there is no request object. */
interface Words {
  readonly language: Language;
  readonly systems: ErrorSystems;
}

/** Time to read the answer; a client that has not hung up by then is hung up on. */
const LINGER_MS = 1_000;

/**
 * Answers bytes that are no HTTP request, or one too slow or with headers too large, for which there is no request
 * object: an OperationOutcome in the default language, written to the socket, which is closed.
 */
export function answerUnreadRequest(error: NodeJS.ErrnoException, socket: Socket, words: Words): void {
  if (error.code === "ECONNRESET") socket.destroy();
  else refuse(refusalOf(error), socket, words);
}

/** Answers a request whose body is not waited for any more, and closes its connection. */
export function answerSlowRequest(socket: Socket, words: Words): void {
  refuse(new MpiError("REQUEST_TOO_SLOW"), socket, words);
}

function refuse(refusal: MpiError, socket: Socket, { language, systems }: Words): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const [{ version }] = contracts;
  const reader = { version, language, systems, isConditional: false };
  const { status, headers, body = "" } = failureAnswer(refusal, reader);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  // Otherwise what still comes would be done, though the client was told that it is not.
  socket.pause();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
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
