/** What names a parameter of a request in an issue; one without a name, the parameters of the request. */
export function parameterExpression(name: string): string {
  return name === "" ? "http" : `http.${name}`;
}

/** Where a fault of a parameter is. */
export function atParameter(name: string): { expression: string[] } {
  return { expression: [parameterExpression(name)] };
}
