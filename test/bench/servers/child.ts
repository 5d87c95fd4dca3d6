import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A server of ours in a process of its own. */
export interface Child {
  readonly pid: number;
  /** What it said, line by line, until it was ready. */
  readonly lines: readonly string[];
  /** Tells it to stop, and waits until it has. */
  stop(): Promise<void>;
}

export interface ChildOptions {
  /** The Node program and its arguments. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** What it prints when it is ready. */
  readonly ready: RegExp;
}

/** Starts a Node program and waits until it says that it is ready; rejects with what it said when it ends before. */
export async function startChild({ command, environment, ready }: ChildOptions): Promise<Child> {
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  const exited = once(child, "exit");
  const isReady = new Promise<boolean>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      lines.push(line);
      if (ready.test(line)) resolve(true);
    });
    exited.then(() => resolve(false));
  });
  if (!(await isReady)) throw new Error(`${command.join(" ")} did not start.\n${lines.join("\n")}`);
  return {
    pid: child.pid ?? 0,
    lines,
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** The port that a server printed: the first group of the pattern in the first line that has it. */
export function printedPort({ lines }: Child, pattern: RegExp): number {
  for (const line of lines) {
    const [, port] = pattern.exec(line) ?? [];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`No line of ${JSON.stringify(lines)} names a port.`);
}
