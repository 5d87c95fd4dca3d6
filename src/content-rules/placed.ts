/** An element with its FHIRPath in the body it came in, kept when others before it are set aside. */
export interface Placed<T> {
  readonly element: T;
  /** Such as `Patient.identifier[2]`. */
  readonly path: string;
}

export function placed<T>(elements: readonly T[], path: string): Placed<T>[] {
  return elements.map((element, index) => ({ element, path: `${path}[${index}]` }));
}
