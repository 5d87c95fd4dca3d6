import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { ServiceImplSpec } from "@connectrpc/connect";
import type { Server } from "@grpc/grpc-js";
import { listeningServers } from "./listening-servers.ts";

/** Whoever asks for descriptors may keep the stream for the next question. */
const REFLECTION = "/grpc.reflection.";

/** By then nearly all requests are there: to watch each one from the start took a tenth of a read. */
const SOON_MS = 50;

/**
 * Ends the calls whose one request is not there after so long, in milliseconds: nothing is known of their callers until
 * then, who could keep any number of them open. Streams of requests may wait for what is next. To be called when the
 * server listens; grpc-js waits for ever.
 */
export function hangUpOnSlow(server: Server, services: readonly ServiceImplSpec[], arrivalMs: number): void {
  const streams = pathsOfStreams(services);
  let begun: ServerHttp2Stream[] = [];
  const look = () => {
    const slow = begun.filter((stream) => !stream.readableEnded && !stream.closed);
    begun = [];
    for (const stream of slow) endUnlessThere(stream, arrivalMs);
  };
  for (const listening of listeningServers(server)) {
    listening.on("stream", (stream: ServerHttp2Stream, { ":path": path = "" }: IncomingHttpHeaders) => {
      if (streams.has(path) || path.startsWith(REFLECTION)) return;
      if (begun.push(stream) === 1) setTimeout(look, SOON_MS).unref();
    });
  }
}

function endUnlessThere(stream: ServerHttp2Stream, arrivalMs: number): void {
  const late = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), arrivalMs).unref();
  const arrived = () => clearTimeout(late);
  stream.once("end", arrived);
  stream.once("close", arrived);
}

function pathsOfStreams(services: readonly ServiceImplSpec[]): ReadonlySet<string> {
  const paths = services
    .flatMap(({ methods }) => Object.values(methods))
    .filter(({ kind }) => kind === "client_streaming" || kind === "bidi_streaming")
    .map(({ method }) => `/${method.parent.typeName}/${method.name}`);
  return new Set(paths);
}
