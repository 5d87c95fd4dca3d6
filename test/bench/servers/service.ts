import { readFileSync } from "node:fs";
import { join } from "node:path";
import { doctor, headersOf, tokenOf } from "../../callers.ts";
import { type Child, printedPort, startChild } from "./child.ts";

/** Gateway and core in one process, with the sandbox. */
export interface RunningService {
  readonly port: number;
  readonly grpcPort: number;
  readonly pid: number;
  readonly sandboxUrl: string;
  /** When it said that it is ready, by performance.now(). */
  readonly readyAt: number;
  /** How a caller is known to it: one token for all requests. */
  readonly caller: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const REPOSITORY = join(import.meta.dirname, "..", "..", "..");
const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8"));

/** What Node is given by an npm script: flags, the program, its arguments. */
export function argumentsOf(script: "start" | "core" | "gateway"): string[] {
  const [, ...given] = (scripts[script] as string).split(" ");
  return given.map((one) => (/\.m?[jt]s$/.test(one) ? join(REPOSITORY, one) : one));
}

/**
 * Starts the service as `npm start` does, with the settings of its own but for free ports, a caller who may ask as
 * often as he likes (there is but one; the limit is asked all the same) and what is given; `flags` are Node's.
 */
export async function startService(
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<RunningService> {
  const child = await startChild({
    command: [...flags, ...argumentsOf("start")],
    environment: {
      MPI_HTTP_PORT: "0",
      MPI_GRPC_PORT: "0",
      MPI_SANDBOX_PORT: "0",
      MPI_CALLER_RATE: "1000000",
      MPI_SHUTDOWN_LAST_REQUESTS_MS: "0",
      MPI_LOG_LEVEL: "fatal",
      ...environment,
    },
    ready: /The patient index is ready/,
  });
  const readyAt = performance.now();
  return {
    readyAt,
    port: printedPort(child, /is ready: .*:(\d+)\//),
    grpcPort: printedPort(child, /gRPC listens on .*:(\d+)/),
    pid: child.pid,
    sandboxUrl: sandboxUrlOf(child),
    caller: await callerOf(child),
    stop: () => child.stop(),
  };
}

/** A doctor with a token of the sandbox that runs with a service. */
export async function callerOf(service: Child): Promise<Readonly<Record<string, string>>> {
  return headersOf(doctor, await tokenOf(sandboxUrlOf(service)));
}

function sandboxUrlOf(service: Child): string {
  return `http://127.0.0.1:${printedPort(service, /registers at .*:(\d+)/)}`;
}
