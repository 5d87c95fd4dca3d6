import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const REPOSITORY = join(import.meta.dirname, "../..");

export interface ServiceProcess {
  /** Base of HTTP. */
  readonly url: string;
  /** SIGKILL to the process itself, as a crash or the kernel would. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/**
 * The service as `npm start` runs it, on free ports, with its data in a folder, or in another database; resolves when
 * it says it is ready.
 */
export async function startProcess(dataDirectory: string, databaseUrl = ""): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ["src/start.mjs"], {
    cwd: REPOSITORY,
    env: {
      ...process.env,
      MPI_DATA_DIR: dataDirectory,
      MPI_HTTP_PORT: "0",
      MPI_GRPC_PORT: "0",
      MPI_LOG_LEVEL: "error",
      DATABASE_URL: databaseUrl,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return {
    url: await readyUrl(child),
    async kill() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
      return child.exitCode;
    },
  };
}

async function readyUrl(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("The service has no standard output.");
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /ready: (http:\/\/[^/]+)/.exec(line) ?? [];
    if (url) {
      child.stdout.resume();
      return url;
    }
  }
  throw new Error("The service ended before it was ready.");
}
