import cluster from "node:cluster";
import { openLog } from "./composition/tracing.ts";
import { tellServed } from "./composition/worker-processes.ts";
import { parseSettings, type Settings } from "./config.ts";
import { reasons } from "./lifecycle/reasons.ts";
import { CLOSING_MS, stopOnce } from "./lifecycle/stop-once.ts";
import type { Stoppable } from "./lifecycle/stoppable.ts";
import { type ServiceOptions, startService, startWorkerService } from "./service.ts";
import { commandLine } from "./settings/command-line.ts";
import { tellUnknownSettings } from "./settings/unknown-settings.ts";
import { isOutOfReach } from "./storage/index.ts";

const USAGE = `npm start         the service: gateway and core in one process, with an embedded database and the sandbox unless
                  settings name others
npm run core      the core alone (--core), for gateways that run apart

Settings are environment variables: docs/configuration.md.`;

const { values: parts } = commandLine(USAGE, { core: { type: "boolean" } });
const withGateway = !parts.core;

await main();

async function main(): Promise<void> {
  try {
    const settings = parseSettings(process.env);
    const log = openLog(settings);
    const options = { settings, log, withGateway };
    if (cluster.isWorker) await serveAsWorker(options);
    else await serve({ ...options, progress: (step) => console.log(step) });
  } catch (error) {
    console.error(`The patient index did not start.\n${reasons(error)}`);
    process.exitCode = 1;
    // Its channel to the process that started it would keep it alive.
    if (cluster.isWorker) process.exit();
  }
}

/** The whole service, in this process or in those that it starts. */
async function serve(options: ServiceOptions): Promise<void> {
  const { settings, log } = options;
  tellUnknownSettings(process.env, (unknown, words) => log.warn({ unknown }, words));
  let isStopping = false;
  let endOfService = (): void => process.exit(1);
  const watching = { ...options, onDatabaseEnd: () => endOfService() };
  const starting = settings.workers > 1 ? startWorkerService(watching) : startService(watching);
  let hasDatabaseEnded = false;
  const stop = stopOnce(whenStarted(starting), {
    // Workers have their own limit, and are waited for.
    limitMs: settings.shutdownGrace + (settings.workers > 1 ? 2 : 1) * CLOSING_MS,
    failed: (error) => {
      // What could not be told to a database that has ended is nothing to look for.
      if (!hasDatabaseEnded || !isOfTheDatabase(error)) stoppingFailed(error);
    },
    stopped: () => {
      if (!process.exitCode) console.log("Stopped");
    },
  });
  for (const signal of ["SIGTERM", "SIGINT"]) {
    process.on(signal, () => {
      isStopping = true;
      if (stop()) console.log("Stopping");
    });
  }
  const { httpPort } = await starting;
  if (httpPort !== undefined && !isStopping) tellReady(settings, httpPort);
  // Whoever supervises this process starts it again, and with it the database.
  endOfService = () => {
    process.exitCode = 1;
    hasDatabaseEnded = true;
    if (stop()) console.error("The embedded database has ended: stopping");
  };
}

/** A service that is told to stop while it starts is let come to its end: an embedded database would be left running. */
function whenStarted(starting: Promise<Stoppable>): Stoppable {
  return {
    async stop() {
      // Why it did not start is told by whoever waits for the start.
      const service = await starting.catch(() => undefined);
      await service?.stop();
    },
  };
}

function tellReady({ httpCertificate, httpHost }: Settings, port: number): void {
  const scheme = httpCertificate ? "https" : "http";
  console.log(`The patient index is ready: ${scheme}://${shownHost(httpHost)}:${port}/fhir/metadata`);
}

/** One of several processes: it is told to stop by the one that started it, and by nobody's Ctrl-C. */
async function serveAsWorker(options: Omit<ServiceOptions, "progress">): Promise<void> {
  process.on("SIGINT", () => {});
  const service = await startService({ ...options, progress: () => {} });
  const stop = stopOnce(service, {
    limitMs: options.settings.shutdownGrace + CLOSING_MS,
    failed: (error) => {
      // An embedded database is there until all workers have stopped, or has ended: that says who started them.
      if (options.settings.databaseUrl !== undefined || !isOfTheDatabase(error)) stoppingFailed(error);
    },
    // Its channel to the other process would keep it alive.
    stopped: () => process.exit(),
  });
  process.on("SIGTERM", stop);
  tellServed({ httpPort: service.httpPort, grpcPort: service.grpcPort });
}

function stoppingFailed(error: unknown): void {
  console.error(`Stopping failed.\n${reasons(error)}`);
  process.exitCode = 1;
}

/** Whether nothing failed but what the database was asked. */
function isOfTheDatabase(error: unknown): boolean {
  return error instanceof AggregateError ? error.errors.every(isOfTheDatabase) : isOutOfReach(error);
}

function shownHost(host: string): string {
  return host === "::" || host === "0.0.0.0" ? "localhost" : host;
}
