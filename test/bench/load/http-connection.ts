import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Connection, Expected } from "./job.ts";

const HEADER_END = Buffer.from("\r\n\r\n");
const EMPTY = Buffer.alloc(0);
const SHOWN_OF_FAILURE = 500;

/** What came over the wire, or why nothing did. */
export interface HttpAnswer {
  /** 0 when the connection broke. */
  readonly status: number;
  readonly header: string;
  readonly body: Buffer;
}

/**
 * A kept-alive HTTP/1.1 connection that does the least a client can do, so that the generator costs little beside the
 * server: it reads answers with Content-Length, and of their header the status alone.
 */
export async function openHttpConnection(port: number, expected?: Expected): Promise<HttpConnection> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  return new HttpConnection(socket, expected);
}

export class HttpConnection implements Connection {
  readonly #socket: Socket;
  readonly #expected: Expected | undefined;
  #received: Buffer = EMPTY;
  #answered: (answer: HttpAnswer) => void = () => undefined;

  constructor(socket: Socket, expected: Expected | undefined) {
    this.#socket = socket;
    this.#expected = expected;
    socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    socket.on("error", (error) => this.#break(error.message));
    socket.on("close", () => this.#break("The server closed the connection."));
  }

  async send(request: Buffer): Promise<string | undefined> {
    const { status, header, body } = await this.exchange(request);
    if (status >= 200 && status < 300 && isExpected(body, this.#expected)) return undefined;
    return `${header.slice(0, 60)} ${body.toString("utf8")}`.slice(0, SHOWN_OF_FAILURE);
  }

  /** Sends one request and waits for its answer; a connection that breaks is an answer, too. */
  exchange(request: Buffer): Promise<HttpAnswer> {
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #break(reason: string): void {
    this.#answered({ status: 0, header: reason, body: EMPTY });
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received === EMPTY ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf(HEADER_END);
    if (end < 0) return;
    const header = this.#received.toString("latin1", 0, end);
    const body = end + HEADER_END.length;
    if (this.#received.length < body + contentLength(header)) return;
    const answer = {
      status: Number(header.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)),
      header,
      body: this.#received.subarray(body),
    };
    this.#received = EMPTY;
    this.#answered(answer);
  }
}

function isExpected(body: Buffer, expected: Expected | undefined): boolean {
  if (!expected) return true;
  let found = 0;
  for (let at = body.indexOf(expected.text); at >= 0; at = body.indexOf(expected.text, at + 1)) found += 1;
  return found === expected.times;
}

function contentLength(header: string): number {
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(header) ?? [];
  if (length === undefined) throw new Error(`An answer without Content-Length: ${header}`);
  return Number(length);
}
