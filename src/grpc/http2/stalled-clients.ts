import { constants, type ServerHttp2Stream } from "node:http2";
import type { Server } from "@grpc/grpc-js";
import { listeningServers } from "./listening-servers.ts";

/** Whoever takes so many bytes within the time allowed is slow, not stalled. */
const PIECE_BYTES = 64 * 1024;

/**
 * Ends the calls of clients that do not take their answer: nothing of it has moved for so long, in milliseconds. To be
 * called when the server listens. grpc-js has an option for connections that do not answer, none for calls that do not
 * read; and the time limit of Node's streams begins anew with whatever else their connection sends, be it the answer to
 * a ping.
 */
export function hangUpOnStalled(server: Server, stallMs: number): void {
  for (const listening of listeningServers(server)) {
    listening.on("stream", (stream: ServerHttp2Stream) => {
      writeInPieces(stream);
      limitWrites(stream, stallMs);
    });
  }
}

/** A large message is several writes, so that one ends now and then while a client takes it slowly. */
function writeInPieces(stream: ServerHttp2Stream): void {
  const write = stream.write.bind(stream) as (
    chunk: Buffer,
    done?: (error?: Error | null) => void,
  ) => boolean;
  const inPieces: typeof write = (message, done) => {
    let start = 0;
    for (; message.length - start > PIECE_BYTES; start += PIECE_BYTES) {
      write(message.subarray(start, start + PIECE_BYTES));
    }
    return write(start === 0 ? message : message.subarray(start), done);
  };
  // What waits would be one write again by _writev.
  Object.assign(stream, { write: inPieces, _writev: undefined });
}

function limitWrites(stream: ServerHttp2Stream, stallMs: number): void {
  const write = stream._write.bind(stream);
  stream._write = (chunk, encoding, done) => {
    const stalled = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), stallMs).unref();
    write(chunk, encoding, (error) => {
      clearTimeout(stalled);
      done(error);
    });
  };
}
