import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { MpiError } from "../../src/errors/index.ts";
import { type FailureReader, failureAnswer } from "./failure.ts";

/** Time to read the answer; a client that has not hung up by then is hung up on. */
const LINGER_MS = 1_000;

/**
 * Answers bytes that are no HTTP request, or one too slow or with headers too large, which no handler answers: an
 * OperationOutcome, written to the socket, which is closed.
 */
export function answerUnreadRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  reader: FailureReader,
): void {
  if (error.code === "ECONNRESET") socket.destroy();
  else refuse(refusalOf(error), socket, reader);
}

/** Answers a request whose body is not waited for any more, and closes its connection. */
export function answerSlowRequest(socket: Socket, reader: FailureReader): void {
  refuse(new MpiError("REQUEST_TOO_SLOW"), socket, reader);
}

/** Answers a request for a tunnel: none leads anywhere from here. */
export function answerTunnelRequest(path: string, connection: Duplex, reader: FailureReader): void {
  // Node's own listener is off by now, and a client that breaks off would end the process.
  connection.on("error", () => connection.destroy());
  refuse(new MpiError("ROUTE_UNKNOWN", { path }), connection, reader);
}

function refuse(refusal: MpiError, socket: Duplex, reader: FailureReader): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
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
