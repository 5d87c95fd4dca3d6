/** What a client wishes by Prefer (RFC 7240); what it does not say is the default. */
export interface Preferences {
  readonly return: "representation" | "minimal" | "OperationOutcome";
  /** Unknown parameters are refused under `strict` and ignored under `lenient`. */
  readonly handling: "strict" | "lenient";
}

const DEFAULT: Preferences = { return: "representation", handling: "strict" };

const RETURNS: ReadonlyMap<string, Preferences["return"]> = new Map([
  ["representation", "representation"],
  ["minimal", "minimal"],
  ["operationoutcome", "OperationOutcome"],
]);

/** The preferences of a Prefer header; those that are not known are ignored, as RFC 7240 wants. */
export function parsePrefer(header: string | readonly string[] | undefined): Preferences {
  if (header === undefined) return DEFAULT;
  const wishes = new Map<string, string>();
  for (const part of String(header).split(/[,;]/)) {
    const [name = "", value = ""] = part.split("=");
    const key = name.trim().toLowerCase();
    if (!wishes.has(key))
      wishes.set(
        key,
        value
          .trim()
          .replace(/^"(.*)"$/, "$1")
          .toLowerCase(),
      );
  }
  return {
    return: RETURNS.get(wishes.get("return") ?? "") ?? DEFAULT.return,
    handling: wishes.get("handling") === "lenient" ? "lenient" : DEFAULT.handling,
  };
}
