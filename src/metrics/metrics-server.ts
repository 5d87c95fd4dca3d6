import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { Registry } from "prom-client";
import { causesOf } from "../errors/index.ts";

/** Where metrics are asked for. */
export interface MetricsAddress {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** A server of metrics that listens. */
export interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

const PATH = "/metrics";

/** Answers GET /metrics with what `text` says, in the text format of Prometheus. Rejects if it cannot listen. */
export async function startMetricsServer(
  { host, port }: MetricsAddress,
  text: () => Promise<string>,
  log: Pick<Logger, "warn">,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? "").split("?", 1);
    if (path !== PATH) {
      response.writeHead(404).end();
      return;
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD" }).end();
      return;
    }
    text().then(
      (metrics) => response.writeHead(200, { "content-type": Registry.PROMETHEUS_CONTENT_TYPE }).end(metrics),
      (error: unknown) => {
        log.warn({ causes: causesOf(error) }, "metrics could not be told");
        response.writeHead(500).end();
      },
    );
  });
  await listening(server, host, port);
  const shownHost = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${shownHost}:${(server.address() as AddressInfo).port}${PATH}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
