import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { callerHeaders, trusts } from "../callers.ts";

const REPOSITORY = join(import.meta.dirname, "../..");

export interface ServiceProcess {
  /** Base of HTTP. */
  readonly url: string;
  readonly sandboxUrl: string;
  /** Where its metrics are; empty when it has none. */
  readonly metricsUrl: string;
  /** Such as 127.0.0.1:50051. */
  readonly grpcAddress: string;
  /** The numbers of all processes that have come to serve so far, where several do. */
  readonly serving: readonly number[];
  /** What has come to standard error so far, a line each; it is shown besides. */
  readonly errors: readonly string[];
  /** SIGKILL to the process itself, as a crash or the kernel would; nothing when it has ended already. */
  kill(): Promise<void>;
  /** SIGSTOP: it stands still, as when its machine is moved or has no memory left. */
  suspend(): void;
  /** SIGCONT: it goes on as if no time had passed. */
  resume(): void;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Resolves with the exit code when it ends by itself. */
  ended(): Promise<number | null>;
}

/**
 * The service as `npm start` runs it, on free ports, with its data in a folder, or in another database, with
 * whatever other settings; resolves when it says it is ready.
 */
export async function startProcess(
  dataDirectory: string,
  databaseUrl = "",
  settings: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ["src/start.mjs"], {
    cwd: REPOSITORY,
    env: {
      ...process.env,
      MPI_DATA_DIR: dataDirectory,
      MPI_HTTP_PORT: "0",
      MPI_GRPC_PORT: "0",
      MPI_SANDBOX_PORT: "0",
      MPI_LOG_LEVEL: "error",
      // Tests ask as fast as they can, all in one name.
      MPI_CALLER_RATE: "0",
      // Tests send no more requests.
      MPI_SHUTDOWN_LAST_REQUESTS_MS: "0",
      DATABASE_URL: databaseUrl,
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors: string[] = [];
  createInterface(child.stderr).on("line", (line) => {
    errors.push(line);
    console.error(line);
  });
  const { url, sandboxUrl, metricsUrl, grpcAddress, serving } = await untilReady(child);
  for (const origin of [url, grpcAddress]) trusts(origin, sandboxUrl);
  // The token is not what a test waits for.
  await callerHeaders(url);
  return {
    url,
    sandboxUrl,
    metricsUrl,
    grpcAddress,
    serving,
    errors,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
    suspend: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
      return child.exitCode;
    },
    async ended() {
      // Not its exit: what it said last may come after that.
      if (child.exitCode === null) await once(child, "close");
      return child.exitCode;
    },
  };
}

type Ready = Pick<ServiceProcess, "url" | "sandboxUrl" | "metricsUrl" | "grpcAddress" | "serving">;

/** Reads what it prints, after it is ready too. */
function untilReady(child: ChildProcess): Promise<Ready> {
  const { stdout } = child;
  if (!stdout) throw new Error("The service has no standard output.");
  const serving: number[] = [];
  let [sandboxUrl, metricsUrl, grpcAddress] = ["", "", ""];
  return new Promise((resolve, reject) => {
    createInterface(stdout)
      .on("line", (line) => {
        sandboxUrl = /sandbox .* at (http:\/\/\S+)/.exec(line)?.[1] ?? sandboxUrl;
        metricsUrl = /^Metrics are at (\S+)$/.exec(line)?.[1] ?? metricsUrl;
        grpcAddress = /^gRPC listens on (\S+)/.exec(line)?.[1] ?? grpcAddress;
        const [, pid] = /^Process (\d+) serves/.exec(line) ?? [];
        if (pid) serving.push(Number(pid));
        const [, url] = /ready: (https?:\/\/[^/]+)/.exec(line) ?? [];
        if (url) resolve({ url, sandboxUrl, metricsUrl, grpcAddress, serving });
      })
      .on("close", () => reject(new Error("The service ended before it was ready.")));
  });
}
