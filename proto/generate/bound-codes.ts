import { codesOf, type ElementDefinition } from "./definitions.ts";
import { definitionsWithMessage } from "./generate.ts";
import { pascalCase } from "./messages.ts";

/**
 * The codes that R5 allows in the elements that it binds to codes of its own (binding required), by the message that an
 * element is in, as it is named below the package, and by element; with a space between them.
 */
export function generateBoundCodes(): string {
  const bound = new Map<string, Record<string, string>>();
  const visit = (definition: ElementDefinition): void => {
    const elements = definition.children.flatMap(({ name, boundTo }) => {
      const codes = boundTo === undefined ? undefined : codesOf(boundTo);
      return codes === undefined ? [] : [[name, codes.join(" ")] as const];
    });
    const message = definition.path.split(".").map(pascalCase).join(".");
    if (elements.length > 0) bound.set(message, Object.fromEntries(elements));
    definition.children.forEach(visit);
  };
  definitionsWithMessage().forEach(visit);
  const sorted = [...bound].sort(([one], [other]) => (one < other ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`;
}
