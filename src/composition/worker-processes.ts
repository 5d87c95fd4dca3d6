import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { CLOSING_MS } from "../lifecycle/stop-once.ts";

/** The ports that a worker serves, the same for all of them; said to the process that started it once it serves. */
export interface ServedPorts {
  readonly httpPort: number | undefined;
  readonly grpcPort: number;
}

export interface WorkerOptions {
  readonly count: number;
  /** Variables that they get beside those of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** How long requests that run may go on when it is told to stop, in milliseconds. */
  readonly graceMs: number;
  readonly log: Logger;
  readonly progress: (step: string) => void;
}

const PAUSE_MS = 1_000;

/** Said by a worker that serves. */
export function tellServed(ports: ServedPorts): void {
  process.send?.(ports);
}

/**
 * This program again, so many times. They listen on the same sockets, which this process keeps open: the system gives
 * a connection to one that lives. One that ends is replaced.
 */
export class WorkerProcesses {
  readonly #options: WorkerOptions;
  readonly #serving = new Set<Worker>();
  #stopping = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Those that serve now. */
  get serving(): Worker[] {
    return [...this.#serving];
  }

  /** Resolves when all of them serve; rejects when one ends before. */
  async start(): Promise<ServedPorts> {
    // In turn, which is the default, connections given to a process that has just died are never closed: they hang.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    const [first] = await Promise.all(Array.from({ length: this.#options.count }, () => this.#startOne()));
    if (!first) throw new RangeError("There is no worker process to start.");
    return first;
  }

  /** Tells each to stop and waits for it; one that takes longer than the grace and five seconds is killed. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(running.map((worker) => stopOne(worker, this.#options.graceMs + CLOSING_MS)));
  }

  async #startOne(): Promise<ServedPorts> {
    const worker = cluster.fork(this.#options.environment);
    const told = once(worker, "message").then(([ports]) => ports as ServedPorts);
    const ended = once(worker, "exit").then(() => undefined);
    const ports = await Promise.race([told, ended]);
    if (!ports) throw new Error(`Process ${worker.process.pid} ended before it served.`);
    this.#serving.add(worker);
    worker.once("exit", (code, signal) => {
      this.#serving.delete(worker);
      void this.#replace(worker, code, signal);
    });
    this.#options.progress(`Process ${worker.process.pid} serves`);
    return ports;
  }

  async #replace(worker: Worker, code: number | null, signal: string | null): Promise<void> {
    const { log } = this.#options;
    if (this.#stopping) return;
    log.error({ ended: worker.process.pid, code, signal }, "a worker process ended; another takes its place");
    while (!this.#stopping) {
      try {
        await this.#startOne();
        return;
      } catch (error) {
        if (!this.#stopping) log.error({ reason: (error as Error).message }, "no process took its place yet");
        await sleep(PAUSE_MS, undefined, { ref: false });
      }
    }
  }
}

async function stopOne(worker: Worker, timeMs: number): Promise<void> {
  if (worker.isDead()) return;
  const ended = once(worker, "exit");
  const kill = setTimeout(() => worker.process.kill("SIGKILL"), timeMs);
  worker.process.kill("SIGTERM");
  await ended;
  clearTimeout(kill);
}
