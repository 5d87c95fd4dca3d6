import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

/** A port for the inspector of a process that is going to be started. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Bytes of a process. */
export interface Usage {
  /** In use by objects. */
  readonly heap: number;
  /** In use outside the heap, by buffers above all. */
  readonly buffers: number;
  /** In memory, for whatever. */
  readonly resident: number;
}

/** The memory of another process, asked by its inspector. */
export class Heap {
  readonly #socket: WebSocket;
  readonly #asked = new Map<number, PromiseWithResolvers<Readonly<Record<string, unknown>>>>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id: number; result: Record<string, unknown> };
      this.#asked.get(id)?.resolve(result ?? {});
      this.#asked.delete(id);
    });
    socket.addEventListener("close", () => {
      for (const { reject } of this.#asked.values()) reject(new Error("The inspector has gone."));
    });
  }

  static async open(port: number): Promise<Heap> {
    const list = await fetch(`http://127.0.0.1:${port}/json/list`);
    const [target] = (await list.json()) as readonly { readonly webSocketDebuggerUrl: string }[];
    if (!target) throw new Error("The process has no inspector.");
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve, { once: true });
      socket.addEventListener("error", () => reject(new Error("The inspector does not answer.")), {
        once: true,
      });
    });
    return new Heap(socket);
  }

  /** After a full collection, which stops the process for some ten milliseconds. */
  async afterCollection(): Promise<Usage> {
    await this.#ask("HeapProfiler.collectGarbage");
    const { result } = await this.#ask("Runtime.evaluate", {
      expression: "process.memoryUsage()",
      returnByValue: true,
    });
    const usage = (result as { readonly value?: NodeJS.MemoryUsage } | undefined)?.value;
    if (!usage) throw new Error("The inspector does not tell what memory is used.");
    return { heap: usage.heapUsed, buffers: usage.external, resident: usage.rss };
  }

  close(): void {
    this.#socket.close();
  }

  #ask(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.#last;
    const asked = Promise.withResolvers<Readonly<Record<string, unknown>>>();
    this.#asked.set(id, asked);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return asked.promise;
  }
}
