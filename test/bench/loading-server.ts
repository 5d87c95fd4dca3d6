import { join } from "node:path";
import { printedPort, startChild } from "./child.ts";
import type { BenchDatabase } from "./database.ts";
import { callerOf } from "./service.ts";

/** A service whose loading is measured. */
export interface LoadingServer {
  readonly httpPort: number;
  readonly grpcPort: number;
  readonly pids: readonly number[];
  /** How a caller is known to it. */
  readonly caller: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const SERVICE = join(import.meta.dirname, "..", "..", "src", "start.mjs");

/** Gateway and core in one process, with all features on; one caller may make any number of requests. */
export async function loadingServer(
  { url, keyFile }: BenchDatabase,
  profile: string | undefined,
): Promise<LoadingServer> {
  const service = await startChild({
    command: [...(profile === undefined ? [] : ["--cpu-prof", "--cpu-prof-dir", profile]), SERVICE],
    environment: {
      DATABASE_URL: url,
      MPI_KEY_FILE: keyFile,
      MPI_HTTP_PORT: "0",
      MPI_GRPC_PORT: "0",
      MPI_SANDBOX_PORT: "0",
      MPI_CALLER_RATE: "1000000",
      MPI_LOG_LEVEL: "fatal",
    },
    ready: /The patient index is ready/,
  });
  return {
    httpPort: printedPort(service, /is ready: .*:(\d+)\//),
    grpcPort: printedPort(service, /gRPC listens on .*:(\d+)/),
    pids: [service.pid],
    caller: await callerOf(service),
    stop: () => service.stop(),
  };
}
