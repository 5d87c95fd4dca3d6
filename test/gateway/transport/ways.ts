import type { ServiceImplSpec, Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { fastify } from "fastify";
import { pino } from "pino";
import { connectRoutes } from "../../../gateway/transport/connect/connect-routes.ts";
import { forward } from "../../../gateway/transport/connect/forward.ts";
import { createRemoteTransport, type RemoteTransport } from "../../../gateway/transport/remote/remote.ts";
import { defaultErrorSystems } from "../../../src/errors/index.ts";
import { type GrpcServer, startGrpcServer } from "../../../src/grpc/server.ts";
import type { Way } from "./contract/way.ts";

const log = pino({ level: "silent" });

export function startCore(services: ServiceImplSpec[], port = 0): Promise<GrpcServer> {
  return startGrpcServer({ host: "127.0.0.1", port, services, log });
}

/** Straight to the core's gRPC port. */
export async function remoteWay(services: ServiceImplSpec[]): Promise<Way & { transport: RemoteTransport }> {
  const core = await startCore(services);
  const transport = createRemoteTransport({ target: `127.0.0.1:${core.port}` });
  return {
    transport,
    close: async () => {
      transport.close();
      await core.stop(1_000);
    },
  };
}

/** Through the Connect routes of a gateway that holds the services. */
export function gatewayWay(protocol: "connect" | "grpc-web") {
  return async (services: ServiceImplSpec[]): Promise<Way> => {
    const server = fastify();
    await server.register(connectRoutes, {
      services,
      maxRequestBytes: 4 * 1024 * 1024,
      defaultLanguage: "en",
      errorSystems: defaultErrorSystems,
    });
    const baseUrl = await server.listen({ host: "127.0.0.1", port: 0 });
    return { transport: webTransport(protocol, baseUrl), close: () => server.close() };
  };
}

/** Through the Connect routes of a gateway that hands the calls on to a core of its own. */
export function forwardingWay(protocol: "connect" | "grpc-web") {
  return async (services: ServiceImplSpec[]): Promise<Way> => {
    const core = await remoteWay(services);
    const front = await gatewayWay(protocol)(services.map(({ service }) => forward(service, core.transport)));
    return {
      transport: front.transport,
      close: async () => {
        await front.close();
        await core.close();
      },
    };
  };
}

function webTransport(protocol: "connect" | "grpc-web", baseUrl: string): Transport {
  return protocol === "connect"
    ? createConnectTransport({ baseUrl, httpVersion: "1.1" })
    : createGrpcWebTransport({ baseUrl, httpVersion: "1.1" });
}
