import { type Child, printedPort, startChild } from "../bench/servers/child.ts";

/** A gateway apart whose core is not there, with its metrics. */
export async function startGatewayAlone(
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly gateway: Child; readonly metricsUrl: string }> {
  const gateway = await startChild({
    command: ["gateway/main.ts"],
    environment: {
      MPI_HTTP_PORT: "0",
      MPI_METRICS_PORT: "0",
      MPI_CORE_ADDRESS: "127.0.0.1:1",
      MPI_LOG_LEVEL: "silent",
      ...environment,
    },
    ready: /gateway is ready/,
  });
  const port = printedPort(gateway, /^Metrics are at .*:(\d+)/);
  return { gateway, metricsUrl: `http://127.0.0.1:${port}/metrics` };
}
