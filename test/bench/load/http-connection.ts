import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Connection } from "./job.ts";

const HEADER_END = Buffer.from("\r\n\r\n");
const EMPTY = Buffer.alloc(0);
const SHOWN_OF_FAILURE = 500;

/**
 * A kept-alive HTTP/1.1 connection that does the least a client can do, so that the generator costs little beside the
 * server: it reads answers with Content-Length, and of their header the status alone.
 */
export async function openHttpConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  return new HttpConnection(socket);
}

class HttpConnection implements Connection {
  readonly #socket: Socket;
  #received: Buffer = EMPTY;
  #answered: (failure: string | undefined) => void = () => undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    socket.on("error", (error) => this.#answered(error.message));
    socket.on("close", () => this.#answered("The server closed the connection."));
  }

  send(request: Buffer): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received === EMPTY ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf(HEADER_END);
    if (end < 0) return;
    const header = this.#received.toString("latin1", 0, end);
    const body = end + HEADER_END.length;
    if (this.#received.length < body + contentLength(header)) return;
    const isGood = header.charCodeAt("HTTP/1.1 ".length) === "2".charCodeAt(0);
    const failure = isGood ? undefined : `${header.slice(0, 12)} ${this.#received.toString("utf8", body)}`;
    this.#received = EMPTY;
    this.#answered(failure?.slice(0, SHOWN_OF_FAILURE));
  }
}

function contentLength(header: string): number {
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(header) ?? [];
  if (length === undefined) throw new Error(`An answer without Content-Length: ${header}`);
  return Number(length);
}
