import type { DescMethod } from "@bufbuild/protobuf";
import type { MethodImpl, ServiceImplSpec } from "@connectrpc/connect";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import type { FastifyPluginCallback } from "fastify";
import { forgetFarDeadline } from "../../../src/time/far-deadlines.ts";
import { detailTypes } from "./error-details.ts";
import { decodingFirst, handOnDecoded, type Wording } from "./undecodable-messages.ts";

export interface ConnectRoutesOptions extends Wording {
  /** The services of a core in this process, or those that `forward` makes of a core elsewhere. */
  readonly services: readonly ServiceImplSpec[];
  /** The largest request message that is read. */
  readonly maxRequestBytes: number;
  /** How long calls that run may go on when the server closes, in milliseconds. */
  readonly shutdownTimeoutMs?: number;
  /** Of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

const jsonOptions = {
  registry: detailTypes,
  // A misspelled field would be lost in silence.
  ignoreUnknownFields: false,
  // Other encodings would be stored as replacement characters.
  textDecoder: new TextDecoder("utf-8", { fatal: true }),
};

/** Serves the services to browsers and to curl: Connect and gRPC-Web, at `/{service}/{method}`. */
export const connectRoutes: FastifyPluginCallback<ConnectRoutesOptions> = (instance, options, done) => {
  const { services, maxRequestBytes, shutdownTimeoutMs, headers = {} } = options;
  const reading = { readMaxBytes: maxRequestBytes, jsonOptions };
  instance.addHook("onRequest", (request, reply, next) => {
    reply.headers(headers);
    forgetFarDeadline(request.raw.headers);
    next();
  });
  fastifyConnectPlugin(
    instance,
    {
      // gRPC proper is the business of the core's own port.
      grpc: false,
      // Compression is left to whatever stands in front of the gateway.
      acceptCompression: [],
      ...reading,
      interceptors: [handOnDecoded(options)],
      ...(shutdownTimeoutMs !== undefined && { shutdownTimeoutMs }),
      routes: (router) => {
        for (const { method, impl } of services.flatMap((spec) => Object.values(spec.methods))) {
          router.rpc(method as DescMethod, impl as MethodImpl<DescMethod>);
        }
        const { handlers } = router;
        handlers.splice(0, handlers.length, ...handlers.map((one) => decodingFirst(one, reading)));
      },
    },
    done,
  );
};
