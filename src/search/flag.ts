/** The value of a token parameter of a boolean element; undefined for what is none. */
export function parseFlag(value: string): boolean | undefined {
  if (value === "true") return true;
  return value === "false" ? false : undefined;
}
