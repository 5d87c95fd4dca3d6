import { join } from "node:path";
import type { Way } from "../ratios/scenarios.ts";
import { type Child, printedPort, startChild } from "./child.ts";
import { type BenchDatabase, YARDSTICK_IDS } from "./database.ts";
import { argumentsOf, callerOf } from "./service.ts";

/** A way to be measured: where it listens, and which processes serve it. */
export interface MeasuredServer {
  readonly port: number;
  readonly pids: readonly number[];
  /** How a caller is known to it: one token for all requests. */
  readonly caller: Readonly<Record<string, string>>;
}

export interface Servers {
  readonly byWay: Readonly<Record<Way, MeasuredServer>>;
  stop(): Promise<void>;
}

const YARDSTICK = join(import.meta.dirname, "..", "yardstick", "server.ts");
/** The service's own default; the yardstick has the same. */
const POOL = "16";

/** Starts everything that is measured, each in a process of its own; the yardstick on the same database. */
export async function startServers(database: BenchDatabase, profile: string | undefined): Promise<Servers> {
  const started: Child[] = [];
  const start = async (command: string[], environment: Record<string, string>, ready: RegExp) => {
    const child = await startChild({
      command: [...profileFlags(profile), ...command],
      environment: { ...settings(database), ...environment },
      ready,
    });
    started.push(child);
    return child;
  };
  const stop = async () => {
    for (const child of started.splice(0).reverse()) await child.stop();
  };
  try {
    const yardstick = await startYardstick(database, profile);
    started.push(yardstick);
    const whole = await start(argumentsOf("start"), {}, /The patient index is ready/);
    const core = await start(argumentsOf("core"), {}, /gRPC listens/);
    const corePort = printedPort(core, /gRPC listens on .*:(\d+)/);
    const gateway = await start(
      argumentsOf("gateway"),
      { MPI_CORE_ADDRESS: `127.0.0.1:${corePort}` },
      /gateway is ready/,
    );
    return {
      byWay: {
        yardstick: server(yardstick.port, {}, yardstick),
        "one process": server(printedPort(whole, /is ready: .*:(\d+)\//), await callerOf(whole), whole),
        apart: server(portOf(gateway), await callerOf(core), gateway, core),
        gRPC: server(corePort, await callerOf(core), core),
      },
      stop,
    };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

/** The yardstick alone. */
export async function startYardstick(
  database: BenchDatabase,
  profile: string | undefined,
): Promise<Child & Pick<MeasuredServer, "port">> {
  const child = await startChild({
    command: [...profileFlags(profile), YARDSTICK],
    environment: { ...settings(database), YARDSTICK_LAST_ID: String(YARDSTICK_IDS) },
    ready: /listens on port/,
  });
  return { ...child, port: portOf(child) };
}

function portOf(child: Child): number {
  return printedPort(child, /port (\d+)/);
}

function server(
  port: number,
  caller: MeasuredServer["caller"],
  ...children: readonly Child[]
): MeasuredServer {
  return { port, pids: children.map(({ pid }) => pid), caller };
}

function settings({ url, keyFile }: BenchDatabase): Record<string, string> {
  return {
    DATABASE_URL: url,
    MPI_KEY_FILE: keyFile,
    MPI_DATABASE_POOL: POOL,
    // There is one caller; the limit is asked all the same.
    MPI_CALLER_RATE: "1000000",
    MPI_HTTP_PORT: "0",
    MPI_GRPC_PORT: "0",
    MPI_SANDBOX_PORT: "0",
    MPI_LOG_LEVEL: "error",
  };
}

/** Flags of Node for a .cpuprofile in a folder, if there is to be one. */
export function profileFlags(folder: string | undefined): string[] {
  return folder === undefined ? [] : ["--cpu-prof", "--cpu-prof-dir", folder];
}
