import { setFlagsFromString } from "node:v8";
import { Code, ConnectError } from "@connectrpc/connect";
import { type Logger, pino } from "pino";
import { LogDestination } from "../src/lifecycle/log-destination.ts";
import { reasons } from "../src/lifecycle/reasons.ts";
import { CLOSING_MS, stopOnce } from "../src/lifecycle/stop-once.ts";
import { type Stops, stoppable } from "../src/lifecycle/stoppable.ts";
import { type Metrics, openMetrics, startMetricsServer, watchCertificates } from "../src/metrics/index.ts";
import { commandLine } from "../src/settings/command-line.ts";
import { certificateTimes, clientTls, httpTls } from "../src/settings/tls-settings.ts";
import { tellUnknownSettings } from "../src/settings/unknown-settings.ts";
import { openTracing, type Tracing } from "../src/tracing/index.ts";
import { startGateway } from "./server.ts";
import { type GatewaySettings, parseGatewaySettings } from "./settings.ts";
import { forward } from "./transport/connect/forward.ts";
import { forwardedServices } from "./transport/connect/forwarded-services.ts";
import { createRemoteTransport, type RemoteTransport } from "./transport/remote/remote.ts";
import { tracedTransport } from "./transport/traced-transport.ts";

// V8 would begin to place the messages of calls where only a full garbage collection frees them: docs/performance.md.
setFlagsFromString("--no-allocation-site-pretenuring");

const USAGE = `npm run gateway   the FHIR interface of a core that runs apart (npm run core), which MPI_CORE_ADDRESS names

Settings are environment variables: docs/configuration.md.`;

commandLine(USAGE);
await main();

async function main(): Promise<void> {
  try {
    const settings = parseGatewaySettings(process.env);
    const gateway = await stoppable((stops) => start(settings, stops));
    const stop = stopOnce(gateway, {
      limitMs: settings.shutdownGrace + CLOSING_MS,
      failed: stoppingFailed,
      stopped: () => {},
    });
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
  } catch (error) {
    console.error(`The gateway did not start.\n${reasons(error)}`);
    process.exitCode = 1;
  }
}

function stoppingFailed(error: unknown): void {
  console.error(`Stopping failed.\n${reasons(error)}`);
  process.exitCode = 1;
}

async function start(settings: GatewaySettings, stops: Stops): Promise<void> {
  const log = pino({ level: settings.logLevel }, new LogDestination());
  tellUnknownSettings(process.env, (unknown, words) => log.warn({ unknown }, words));
  const { httpHost, httpPort, coreAddress, publicUrl, shutdownGrace, shutdownLastRequests } = settings;
  const [tls, coreTls] = [httpTls(settings), clientTls(settings)];
  const tracing = await openTracing(settings, "patient-index-gateway", log);
  if (tracing) stops.push(() => tracing.stop());
  const remote = createRemoteTransport({
    target: coreAddress,
    channels: settings.coreChannels,
    gatherCalls: settings.gatherCalls,
    ...(coreTls && { tls: coreTls }),
  });
  stops.push(async () => remote.close());
  const transport = tracing ? traced(remote, tracing) : remote;
  const metrics = settings.metricsPort === undefined ? undefined : openMetrics();
  if (metrics) await serveMetrics(metrics, settings, log, stops);
  stops.push(watchCertificates(certificateTimes(settings), { log, metrics }));
  const stopping = new AbortController();
  const gateway = await startGateway({
    host: httpHost,
    port: httpPort,
    transport,
    connectServices: forwardedServices.map((service) => forward(service, transport, stopping.signal)),
    ...(publicUrl !== undefined && { publicUrl }),
    defaultLanguage: settings.defaultLanguage,
    errorSystems: settings.errorSystems,
    bodyLimit: settings.bodyLimit,
    corsOrigins: settings.corsOrigins,
    maxInFlight: settings.maxInFlight,
    ...(tls && { tls }),
    ...(metrics && { metrics }),
    ...(tracing && { tracing }),
    log,
  });
  stops.push(() => {
    stopping.abort(new ConnectError("this gateway stops; ask again", Code.Unavailable));
    return gateway.stop({ graceMs: shutdownGrace, lastRequestsMs: shutdownLastRequests });
  });
  console.log(`The gateway is ready on port ${gateway.port}; its core is at ${coreAddress}.`);
}

async function serveMetrics(
  { registry }: Metrics,
  { metricsHost: host, metricsPort: port = 0 }: GatewaySettings,
  log: Logger,
  stops: Stops,
): Promise<void> {
  const server = await startMetricsServer({ host, port }, () => registry.metrics(), log);
  stops.push(() => server.stop());
  console.log(`Metrics are at ${server.url}`);
}

/** The way to the core: calls are parts of the requests that they are made for, and those of health of none. */
function traced(transport: RemoteTransport, tracing: Tracing) {
  return tracedTransport(transport, (name, attributes, headers) =>
    headers.has("traceparent")
      ? tracing.begin(name, "client", attributes, (header) => headers.get(header))
      : undefined,
  );
}
