import type { Fault, ParametersOf } from "../errors/index.ts";

/** What can be wrong with the structure of a FHIR message. */
type StructureFault =
  | "ARRAYS_NOT_PARALLEL"
  | "CHOICE_AMBIGUOUS"
  | "ELEMENT_EMPTY"
  | "ELEMENT_MISSING"
  | "ELEMENT_UNKNOWN"
  | "JSON_MALFORMED"
  | "NESTING_TOO_DEEP"
  | "NULL_NOT_ALLOWED"
  | "PRIMITIVE_INVALID"
  | "RESOURCE_TYPE_WRONG";

/** Faults kept of one message; the rest of one as broken as this is not worth the memory. */
const MAX_FAULTS = 1000;

/** An element under check; all places of one check share the list of faults. */
export class Place {
  /** FHIRPath, such as Patient.name[0]. */
  readonly path: string;
  /** Messages that it lies in, itself included. */
  readonly depth: number;
  readonly faults: Fault[];

  constructor(path: string, depth: number, faults: Fault[]) {
    this.path = path;
    this.depth = depth;
    this.faults = faults;
  }

  child(name: string): Place {
    return new Place(`${this.path}.${name}`, this.depth + 1, this.faults);
  }

  item(index: number): Place {
    return new Place(`${this.path}[${index}]`, this.depth, this.faults);
  }

  report<M extends StructureFault>(meaning: M, parameters: Omit<ParametersOf<M>, "element">): void {
    if (this.faults.length >= MAX_FAULTS) return;
    const fault = { meaning, parameters: { ...parameters, element: this.path }, expression: [this.path] };
    this.faults.push(fault as Fault);
  }
}
