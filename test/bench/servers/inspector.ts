import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

type Result = Readonly<Record<string, unknown>>;

/** A port for the inspector of a process that is going to be started. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Flags of Node for a process that answers by its inspector, and does not say so. */
export function inspectorFlags(port: number): string[] {
  return [`--inspect=127.0.0.1:${port}`, "--inspect-publish-uid=http"];
}

/** Asks another process by its inspector, in the words of the Chrome DevTools protocol. */
export class Inspector {
  readonly #socket: WebSocket;
  readonly #asked = new Map<number, PromiseWithResolvers<Result>>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id: number; result: Result };
      this.#asked.get(id)?.resolve(result ?? {});
      this.#asked.delete(id);
    });
    socket.addEventListener("close", () => {
      for (const { reject } of this.#asked.values()) reject(new Error("The inspector has gone."));
    });
  }

  static async open(port: number): Promise<Inspector> {
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
    return new Inspector(socket);
  }

  ask(method: string, params: object = {}): Promise<Result> {
    const id = ++this.#last;
    const asked = Promise.withResolvers<Result>();
    this.#asked.set(id, asked);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return asked.promise;
  }

  close(): void {
    this.#socket.close();
  }
}
