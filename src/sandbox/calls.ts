import type { IncomingHttpHeaders } from "node:http";
import type { RegisterName } from "../registers/index.ts";

/** A call that reached a register: who asked for what, but not about whom. */
export interface SandboxCall {
  readonly register: RegisterName;
  readonly service: string;
  readonly at: string;
  /** The headers that it came with of X-Road and of its trace. */
  readonly headers: Readonly<Record<string, string>>;
}

const KEPT = 1000;
const SHOWN = /^(?:x-road-.*|traceparent|tracestate)$/;

/** The calls of the registers: all counted, the last thousand shown. */
export class Calls {
  #last: SandboxCall[] = [];
  #counts = new Map<string, number>();

  add(register: RegisterName, service: string, headers: IncomingHttpHeaders): void {
    const shown = Object.entries(headers).filter(([name]) => SHOWN.test(name));
    this.#last.push({
      register,
      service,
      at: new Date().toISOString(),
      headers: Object.fromEntries(shown.map(([name, value]) => [name, String(value)])),
    });
    if (this.#last.length > KEPT) this.#last.shift();
    const key = `${register}/${service}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  clear(): void {
    this.#last = [];
    this.#counts.clear();
  }

  list(): { readonly counts: Record<string, number>; readonly calls: readonly SandboxCall[] } {
    return { counts: Object.fromEntries(this.#counts), calls: this.#last };
  }
}
