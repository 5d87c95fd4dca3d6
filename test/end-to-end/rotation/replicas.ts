import { fetchAs } from "../../callers.ts";
import { type ServiceProcess, startProcess } from "../service-process.ts";

export interface Replica {
  readonly name: string;
  readonly url: string;
  /** When its port was open. */
  readonly started: number;
  isAlive: boolean;
  kill(): Promise<void>;
  stop(): Promise<unknown>;
}

/** An answer, and whether the request had to be sent again because its replica was killed meanwhile. */
export interface Balanced {
  readonly replica: Replica;
  readonly status: number;
  readonly text: string;
  readonly wasCut: boolean;
}

/** Several processes that serve one index, with a balancer before them that leaves out those that are gone. */
export class Replicas {
  readonly #dataDirectory: string;
  readonly #databaseUrl: string;
  readonly #all: Replica[] = [];
  #turn = 0;

  constructor(dataDirectory: string, databaseUrl: string) {
    this.#dataDirectory = dataDirectory;
    this.#databaseUrl = databaseUrl;
  }

  /** Starts one more; its sessions bear its name. */
  async start(name: string): Promise<void> {
    process.env["PGAPPNAME"] = name;
    const child: ServiceProcess = await startProcess(this.#dataDirectory, this.#databaseUrl);
    delete process.env["PGAPPNAME"];
    const replica: Replica = {
      name,
      url: child.url,
      started: performance.now(),
      isAlive: true,
      async kill() {
        replica.isAlive = false;
        await child.kill();
      },
      stop: () => child.stop(),
    };
    this.#all.push(replica);
  }

  named(name: string): Replica | undefined {
    return this.#all.find((one) => one.isAlive && one.name === name);
  }

  /** Sends a request to the next one, and to another one when that was killed under it. */
  async ask(path: string, init: RequestInit = {}): Promise<Balanced> {
    for (let wasCut = false; ; wasCut = true) {
      const replica = this.#next();
      try {
        const response = await fetchAs(`${replica.url}${path}`, init);
        return { replica, status: response.status, text: await response.text(), wasCut };
      } catch (cause) {
        if (replica.isAlive) throw cause;
      }
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.filter(({ isAlive }) => isAlive).map((one) => one.stop()));
  }

  #next(): Replica {
    const alive = this.#all.filter(({ isAlive }) => isAlive);
    const replica = alive[this.#turn++ % alive.length];
    if (!replica) throw new Error("Nobody is left to ask.");
    return replica;
  }
}
