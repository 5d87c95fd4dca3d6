import type { Fault, ParametersOf } from "../../src/errors/index.ts";

/** Objects that may lie in each other; protobuf readers of other languages stop at 100 messages. */
export const MAX_DEPTH = 64;

/** Faults kept of one body; the rest of a body as broken as this is not worth the memory. */
const MAX_FAULTS = 1000;

const LONGEST_NAME = 64;

/** What can be wrong with an element of a body. */
type ElementFault =
  | "ELEMENT_EMPTY"
  | "ELEMENT_MISSING"
  | "ELEMENT_TYPE_WRONG"
  | "ELEMENT_UNKNOWN"
  | "PRIMITIVE_INVALID"
  | "CHOICE_AMBIGUOUS"
  | "EXTENSION_AMBIGUOUS"
  | "NULL_NOT_ALLOWED"
  | "ARRAYS_NOT_PARALLEL"
  | "NESTING_TOO_DEEP"
  | "ELEMENT_OUT_OF_ORDER"
  | "ELEMENT_REPEATED_TOO_OFTEN"
  | "NAMESPACE_WRONG"
  | "TEXT_NOT_ALLOWED"
  | "RESOURCE_TYPE_WRONG"
  | "CONTAINED_TYPE_WRONG";

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

  /** Whether so many faults were found that no other one is kept: then what is left of the body need not be looked at. */
  get isFull(): boolean {
    return this.faults.length >= MAX_FAULTS;
  }

  /** False, and a fault, when the object about to be read lies too deep; else ascend() after it. */
  descend(): boolean {
    if (this.#depth >= MAX_DEPTH) {
      this.report("NESTING_TOO_DEEP", { limit: String(MAX_DEPTH) });
      return false;
    }
    this.#depth += 1;
    return true;
  }

  ascend(): void {
    this.#depth -= 1;
  }

  /** A fault of the element that the walk stands on: its `element` is the expression. */
  report<M extends ElementFault>(meaning: M, parameters: Omit<ParametersOf<M>, "element">): void {
    if (this.isFull) return;
    const element = expressionOf(this.#path);
    this.faults.push({ meaning, parameters: { ...parameters, element }, expression: [element] } as Fault);
  }

  /** A fault of the element that the walk stands on: its JSON value is of another type than expected. */
  reportType(json: unknown, expected: "object" | "array" | "string" | "number" | "boolean"): void {
    if (json === null) this.report("NULL_NOT_ALLOWED", {});
    else this.report("ELEMENT_TYPE_WRONG", { expected });
  }

  /** A fault of an element below the one that the walk stands on. */
  reportChild(meaning: "ELEMENT_UNKNOWN" | "ELEMENT_MISSING" | "CHOICE_AMBIGUOUS", name: string): void {
    this.enter(name);
    this.report(meaning, {});
    this.leave();
  }
}

/** FHIRPath of the steps from a resource type downwards; a number is the index into the step before it. */
export function expressionOf(path: readonly (string | number)[]): string {
  return path.map((step, index) => (index === 0 ? step : stepExpression(step))).join("");
}

function stepExpression(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  if (/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(step)) return `.${step}`;
  const name = step.slice(0, LONGEST_NAME).toWellFormed();
  return `.\`${name.replace(/[\\`]/g, "\\$&")}\``;
}
