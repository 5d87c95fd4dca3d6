import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { trusts } from "../callers.ts";

const REPOSITORY = join(import.meta.dirname, "../..");

export interface ServiceProcess {
  /** Base of HTTP. */
  readonly url: string;
  readonly sandboxUrl: string;
  /** SIGKILL to the process itself, as a crash or the kernel would. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
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
      DATABASE_URL: databaseUrl,
      ...settings,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { url, sandboxUrl } = await readyUrls(child);
  trusts(url, sandboxUrl);
  return {
    url,
    sandboxUrl,
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

async function readyUrls(child: ChildProcess): Promise<{ url: string; sandboxUrl: string }> {
  if (!child.stdout) throw new Error("The service has no standard output.");
  let sandboxUrl = "";
  for await (const line of createInterface(child.stdout)) {
    sandboxUrl = /sandbox .* at (http:\/\/\S+)/.exec(line)?.[1] ?? sandboxUrl;
    const [, url] = /ready: (http:\/\/[^/]+)/.exec(line) ?? [];
    if (url) {
      child.stdout.resume();
      return { url, sandboxUrl };
    }
  }
  throw new Error("The service ended before it was ready.");
}
