import type { FaultOrder } from "../../src/sandbox/faults.ts";

/** The control of a sandbox that listens somewhere, as an operator has it over HTTP. */
export function sandboxControl(url: string) {
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came and states what it must be.
    return (await response.json()) as any;
  };
  return {
    fail: (order: FaultOrder) => send("POST", "/sandbox/faults", order),
    heal: () => send("DELETE", "/sandbox/faults"),
    sent: () => send("GET", "/sandbox/sent"),
    calls: () => send("GET", "/sandbox/calls"),
    async forgetCalls() {
      await send("DELETE", "/sandbox/calls");
    },
    async count(service: string): Promise<number> {
      return (await send("GET", "/sandbox/calls")).counts[service] ?? 0;
    },
  };
}
