// What TypeScript does not know yet of JSON: numbers with their source text.

/** A number as it was written, as JSON.rawJSON makes it and JSON.stringify writes it. */
export interface NumberText {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    rawJSON(text: string): NumberText;
    isRawJSON(value: unknown): value is NumberText;
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/** The text of a JSON number; undefined when the value is none. */
export function numberText(json: unknown): string | undefined {
  if (typeof json === "number") return String(json);
  return isNumberText(json) ? json.rawJSON : undefined;
}

/** Whether a value is a number kept as text. */
export function isNumberText(json: unknown): json is NumberText {
  return typeof json === "object" && json !== null && JSON.isRawJSON(json);
}
