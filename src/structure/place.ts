import type { Fault, ParametersOf } from "../errors/index.ts";

/** What can be wrong with the structure of a FHIR message. */
type StructureFault =
  | "ARRAYS_NOT_PARALLEL"
  | "CHOICE_AMBIGUOUS"
  | "CONTAINED_TYPE_WRONG"
  | "ELEMENT_EMPTY"
  | "ELEMENT_MISSING"
  | "ELEMENT_REPEATED_TOO_OFTEN"
  | "ELEMENT_UNKNOWN"
  | "EXTENSION_AMBIGUOUS"
  | "JSON_MALFORMED"
  | "NESTING_TOO_DEEP"
  | "NULL_NOT_ALLOWED"
  | "PRIMITIVE_INVALID";

/** Faults kept of one message; the rest of one as broken as this is not worth the memory. */
const MAX_FAULTS = 1000;

/**
 * An element under check; all places of one check share the list of faults. Most have none, so the path is put
 * together only when one is reported.
 */
export class Place {
  readonly #parent: Place | undefined;
  /** Name of an element, index of an item, or the path of the root. */
  readonly #step: string | number;
  /** Messages that it lies in, itself included. */
  readonly depth: number;
  readonly faults: Fault[];

  private constructor(parent: Place | undefined, step: string | number, depth: number, faults: Fault[]) {
    this.#parent = parent;
    this.#step = step;
    this.depth = depth;
    this.faults = faults;
  }

  static root(name: string): Place {
    return new Place(undefined, name, 1, []);
  }

  child(name: string): Place {
    return new Place(this, name, this.depth + 1, this.faults);
  }

  item(index: number): Place {
    return new Place(this, index, this.depth, this.faults);
  }

  /** FHIRPath, such as Patient.name[0]. */
  #path(): string {
    const step = this.#step;
    if (this.#parent === undefined) return String(step);
    return typeof step === "number" ? `${this.#parent.#path()}[${step}]` : `${this.#parent.#path()}.${step}`;
  }

  report<M extends StructureFault>(meaning: M, parameters: Omit<ParametersOf<M>, "element">): void {
    if (this.faults.length >= MAX_FAULTS) return;
    const path = this.#path();
    const fault = { meaning, parameters: { ...parameters, element: path }, expression: [path] };
    this.faults.push(fault as Fault);
  }
}
