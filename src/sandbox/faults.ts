import { type RegisterName, registerNames } from "./registers/register-error.ts";

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

interface OpenOrder {
  readonly order: FaultOrder;
  left: number;
}

/** The faults that were ordered, in their order. */
export class Faults {
  #orders: OpenOrder[] = [];

  add(order: FaultOrder): void {
    this.#orders.push({ order, left: order.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.#orders = [];
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

/** An order as it came over HTTP; a reason when it is none, or nothing would ever come of it. */
export function parseFaultOrder(
  json: unknown,
  servicesOf: (register: RegisterName) => readonly string[],
): FaultOrder | string {
  if (typeof json !== "object" || json === null) return "A fault is an object.";
  const order = json as FaultOrder;
  if (!registerNames.includes(order.register)) return `register must be one of ${registerNames.join(", ")}.`;
  const services = servicesOf(order.register);
  if (order.service !== undefined && !services.includes(order.service)) {
    return `service must be one of ${services.join(", ")}.`;
  }
  if (EFFECTS.every((effect) => order[effect] === undefined)) {
    return `One of ${EFFECTS.join(", ")} must say what is to happen.`;
  }
  if (order.times !== undefined && !(Number.isInteger(order.times) && order.times > 0)) {
    return "times must be a whole number from 1.";
  }
  if (order.delayMs !== undefined && !(Number.isInteger(order.delayMs) && order.delayMs >= 0)) {
    return "delayMs must be a whole number from 0.";
  }
  if (order.exchange !== undefined && typeof order.exchange.type !== "string")
    return "exchange needs a type.";
  return order;
}
