import type { Fault, FaultParameters, FaultReason } from "./faults.ts";

/** Objects that may lie in each other; protobuf readers of other languages stop at 100 messages. */
export const MAX_DEPTH = 64;

/** Faults kept of one body; the rest of a body as broken as this is not worth the memory. */
const MAX_FAULTS = 1000;

const LONGEST_NAME = 64;

/** Where a walk through a resource is, and what it found wrong on the way. */
export class Walk {
  readonly faults: Fault[] = [];
  readonly #path: (string | number)[];
  #depth = 0;

  constructor(root: string) {
    this.#path = [root];
  }

  enter(step: string | number): void {
    this.#path.push(step);
  }

  leave(): void {
    this.#path.pop();
  }

  /** False, and a fault, when the object about to be read lies too deep; else ascend() after it. */
  descend(): boolean {
    if (this.#depth >= MAX_DEPTH) {
      this.report("TOO_DEEP", { limit: String(MAX_DEPTH) });
      return false;
    }
    this.#depth += 1;
    return true;
  }

  ascend(): void {
    this.#depth -= 1;
  }

  /** A fault of the element that the walk stands on. */
  report<Reason extends FaultReason>(reason: Reason, parameters: FaultParameters[Reason]): void {
    if (this.faults.length >= MAX_FAULTS) return;
    this.faults.push({ reason, parameters, expression: expressionOf(this.#path) });
  }

  /** A fault of an element below the one that the walk stands on. */
  reportChild(reason: "UNKNOWN_ELEMENT" | "MISSING_ELEMENT" | "SEVERAL_CHOICES", name: string): void {
    if (this.faults.length >= MAX_FAULTS) return;
    const element = name.slice(0, LONGEST_NAME).toWellFormed();
    this.#path.push(element);
    this.report(reason, { element });
    this.#path.pop();
  }
}

/** FHIRPath of the steps from a resource type downwards; a number is the index into the step before it. */
export function expressionOf(path: readonly (string | number)[]): string {
  return path.map((step, index) => (index === 0 ? step : stepExpression(step))).join("");
}

function stepExpression(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(step) ? `.${step}` : `.\`${step.replace(/[\\`]/g, "\\$&")}\``;
}
