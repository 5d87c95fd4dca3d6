import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type RegisterName, registerNames } from "../registers/index.ts";

/** How the sandbox is told to fail. */
export interface FaultOrder {
  readonly register: RegisterName;
  /** Only this service of the register. */
  readonly service?: string;
  /** Only the next so many calls; all until told otherwise when not said. */
  readonly times?: number;
  /** Answer so many milliseconds later, whatever else is asked for. */
  readonly delayMs?: number;
  /** An error of the register, with its own text when none is given. */
  readonly code?: string;
  readonly message?: string;
  /** An error of the exchange layer. */
  readonly exchange?: { readonly type: string; readonly message: string; readonly detail?: string };
  /** Hang up without an answer. */
  readonly drop?: boolean;
  /** Answer with something that is no JSON. */
  readonly garbage?: boolean;
}

const EFFECTS = ["code", "message", "exchange", "delayMs", "drop", "garbage"] as const;

interface Field {
  readonly mustBe: string;
  readonly fits: (value: unknown) => boolean;
}

const TEXT: Field = { mustBe: "a text", fits: (value) => typeof value === "string" };
const YES_OR_NO: Field = { mustBe: "true or false", fits: (value) => typeof value === "boolean" };

const FIELDS: Readonly<Record<keyof FaultOrder, Field>> = {
  register: {
    mustBe: `one of ${registerNames.join(", ")}`,
    fits: (value) => registerNames.some((name) => name === value),
  },
  service: TEXT,
  times: wholeNumberFrom(1),
  delayMs: wholeNumberFrom(0),
  code: TEXT,
  message: TEXT,
  exchange: { mustBe: "an object with a type and a message", fits: isExchangeError },
  drop: YES_OR_NO,
  garbage: YES_OR_NO,
};

interface OpenOrder {
  readonly order: FaultOrder;
  left: number;
}

/** The faults that were ordered, in their order. */
export class Faults {
  #orders: OpenOrder[] = [];
  #untilCleared = untilCleared();

  add(order: FaultOrder): void {
    this.#orders.push({ order, left: order.times ?? Number.POSITIVE_INFINITY });
  }

  /** What is still delayed is answered now. */
  clear(): void {
    this.#orders = [];
    this.#untilCleared.abort();
    this.#untilCleared = untilCleared();
  }

  /** Waits for as long as an answer is delayed. */
  async delay({ delayMs }: FaultOrder): Promise<void> {
    if (delayMs === undefined) return;
    const { signal } = this.#untilCleared;
    await sleep(delayMs, undefined, { ref: false, signal }).catch(() => undefined); // by the signal alone
  }

  list(): (FaultOrder & { readonly left: number | "all" })[] {
    return this.#orders.map(({ order, left }) => ({ ...order, left: Number.isFinite(left) ? left : "all" }));
  }

  /** The fault of a call, which counts as one of those that it was ordered for. */
  next(register: RegisterName, service: string): FaultOrder | undefined {
    const open = this.#orders.find(
      ({ order }) => order.register === register && (order.service ?? service) === service,
    );
    if (!open) return undefined;
    open.left -= 1;
    if (open.left <= 0) this.#orders = this.#orders.filter((other) => other !== open);
    return open.order;
  }
}

/** Any number of answers may be delayed at once. */
function untilCleared(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** An order as it came over HTTP; a reason when it is none, or nothing would ever come of it. */
export function parseFaultOrder(
  json: unknown,
  servicesOf: (register: RegisterName) => readonly string[],
): FaultOrder | string {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return "A fault is an object.";
  const order = json as FaultOrder;
  const wrong = wrongField({ ...order, register: order.register });
  if (wrong !== undefined) return wrong;
  const services = servicesOf(order.register);
  if (order.service !== undefined && !services.includes(order.service)) {
    return `service must be one of ${services.join(", ")}.`;
  }
  if (EFFECTS.every((effect) => order[effect] === undefined || order[effect] === false)) {
    return `One of ${EFFECTS.join(", ")} must say what is to happen.`;
  }
  return order;
}

function wrongField(order: object): string | undefined {
  for (const [name, value] of Object.entries(order)) {
    if (!Object.hasOwn(FIELDS, name)) return `${name} is none of ${Object.keys(FIELDS).join(", ")}.`;
    const { mustBe, fits } = FIELDS[name as keyof FaultOrder];
    if (!fits(value)) return `${name} must be ${mustBe}.`;
  }
  return undefined;
}

function wholeNumberFrom(least: number): Field {
  return {
    mustBe: `a whole number from ${least}`,
    fits: (value) => Number.isInteger(value) && Number(value) >= least,
  };
}

function isExchangeError(value: unknown): boolean {
  const { type, message, detail = "" } = (value ?? {}) as Record<string, unknown>;
  return [type, message, detail].every((one) => typeof one === "string");
}
