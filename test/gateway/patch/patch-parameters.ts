/** FHIR JSON as tests write it. */
export type Json = Record<string, unknown>;

/** The parts of an operation beside its type: texts and numbers for themselves, the value as a part of Parameters. */
export interface OperationParts {
  readonly path?: string;
  readonly name?: string;
  readonly index?: number;
  readonly source?: number;
  readonly destination?: number;
  readonly value?: Json;
}

/** A parameter of a FHIRPath Patch. */
export function operation(type: string, { value, ...parts }: OperationParts): Json {
  const plain = Object.entries(parts).map(([name, given]) =>
    typeof given === "number" ? { name, valueInteger: given } : { name, valueString: given },
  );
  const own = value === undefined ? [] : [{ name: "value", ...value }];
  return { name: "operation", part: [{ name: "type", valueCode: type }, ...plain, ...own] };
}

/** A FHIRPath Patch of these operations. */
export function parameters(...operations: readonly Json[]): Json {
  return { resourceType: "Parameters", ...(operations.length > 0 && { parameter: operations }) };
}
