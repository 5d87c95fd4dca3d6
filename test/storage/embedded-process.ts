import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const STARTER = join(import.meta.dirname, "embedded-starter.ts");
const MODULE = join(import.meta.dirname, "..", "..", "src", "storage", "embedded", "index.ts");

export interface StarterOptions {
  readonly dataDirectory: string;
  /** The starter and the module that it loads; ours when left out. */
  readonly starter?: string;
  readonly module?: string;
  readonly account?: { readonly uid: number; readonly gid: number };
}

/** Another process that has started an embedded server, in a process group of its own. */
export interface Starter {
  readonly process: ChildProcess;
  readonly url: string;
  /** Why it could not; empty when it could. */
  readonly error: string;
  /** Lets it stop the server and end. */
  stop(): Promise<void>;
}

export async function startElsewhere(options: StarterOptions): Promise<Starter> {
  const { dataDirectory, starter = STARTER, module = MODULE, account = {} } = options;
  const child = spawn(process.execPath, [starter, module, dataDirectory], {
    ...account,
    detached: true,
    cwd: "/",
    env: { PATH: process.env["PATH"] },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const line = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said: { url?: string; error?: string } = JSON.parse(
    (await line.next()).value ?? '{"error":"it said nothing"}',
  );
  return {
    process: child,
    url: said.url ?? "",
    error: said.error ?? "",
    async stop() {
      child.stdin.end();
      await ended(child);
    },
  };
}

/** Waits for the end of a process. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
