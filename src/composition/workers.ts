import type { Logger } from "pino";
import type { Settings } from "../config.ts";
import type { Stops } from "../lifecycle/stoppable.ts";
import { registerNames } from "../registers/index.ts";
import { refuseSettings } from "../settings/read-settings.ts";
import { missingTlsSettings } from "../settings/tls-settings.ts";
import { holdDatabase } from "../storage/index.ts";
import { missingCallerSettings, TOKENS_OF_SANDBOX } from "./authentication.ts";
import { serveMetrics } from "./measuring.ts";
import { addressVariable, findRegisters, runsSandbox } from "./register-addresses.ts";
import { metricsOf } from "./worker-metrics.ts";
import { type ServedPorts, WorkerProcesses } from "./worker-processes.ts";

interface WorkersOptions {
  readonly settings: Settings;
  readonly log: Logger;
  readonly progress: (step: string) => void;
  readonly onDatabaseEnd?: () => void;
}

/** Starts what processes share (the embedded server, migrations, the sandbox), then as many of them as the settings say. */
export async function startWorkers(
  { settings, log, progress, onDatabaseEnd }: WorkersOptions,
  stops: Stops,
): Promise<ServedPorts & { readonly sandboxUrl: string | undefined }> {
  refuseSettings([...missingCallerSettings(settings), ...missingTlsSettings(settings)]);
  const database = await holdDatabase(settings, log, progress, onDatabaseEnd);
  stops.push(database.close);
  const { sandboxUrl, environment } = await sharedSandbox({ settings, log, progress }, stops);
  const { workers: count, shutdownGrace: graceMs } = settings;
  const workers = new WorkerProcesses({ count, environment, graceMs, log, progress });
  stops.push(() => workers.stop());
  const { httpPort, grpcPort } = await workers.start();
  await serveMetrics({ settings, log, progress }, () => metricsOf(workers.serving), stops);
  progress(`gRPC listens on ${settings.grpcHost}:${grpcPort}`);
  return { httpPort, grpcPort, sandboxUrl };
}

/** The sandbox, where one has to run, as settings of processes for which it is a register and an issuer elsewhere. */
async function sharedSandbox({ settings, log, progress }: WorkersOptions, stops: Stops) {
  if (!runsSandbox(settings)) return { sandboxUrl: undefined, environment: {} };
  const { addresses, sandbox } = await findRegisters(settings);
  if (!sandbox) return { sandboxUrl: undefined, environment: {} };
  stops.push(() => sandbox.stop());
  progress(`The sandbox stands in for registers at ${sandbox.url}`);
  const registers = registerNames.map((register) => [addressVariable(register), addresses[register]]);
  const environment: Record<string, string> = Object.fromEntries(registers);
  if (settings.callerMode === "token" && settings.jwksUrl === undefined) {
    log.warn(TOKENS_OF_SANDBOX);
    const { jwksUrl, issuer } = sandbox.tokens;
    Object.assign(environment, {
      MPI_JWKS_URL: jwksUrl,
      MPI_TOKEN_ISSUER: settings.tokenIssuer ?? issuer,
    });
  }
  return { sandboxUrl: sandbox.url, environment };
}
