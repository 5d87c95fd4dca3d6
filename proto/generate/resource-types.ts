import { resourceTypes } from "./definitions.ts";

/** The types of resources that the core takes inside of others, by name. */
export function generateResourceTypes(): string {
  return `${JSON.stringify(resourceTypes().sort(), undefined, 2)}\n`;
}
