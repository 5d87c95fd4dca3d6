import type { Place } from "./place.ts";
import resourceTypes from "./resource-types.json" with { type: "json" };

const RESOURCE_TYPES: ReadonlySet<string> = new Set(resourceTypes);

/**
 * Checks the JSON text of a contained resource of R5 that has no message of its own. One that has must come as
 * that message: what is kept as text is neither checked nor searched for identifiers.
 */
export function checkOtherResource(text: string, typesWithMessage: readonly string[], place: Place): void {
  const resource = parse(text);
  if (resource === undefined) {
    place.report("JSON_MALFORMED", {});
    return;
  }
  const type = isObject(resource.value) ? resource.value["resourceType"] : undefined;
  if (typeof type !== "string" || !RESOURCE_TYPES.has(type) || typesWithMessage.includes(type)) {
    place.report("CONTAINED_TYPE_WRONG", {});
  } else if (!nestsWithin(resource.value, MAX_NESTING)) {
    place.report("NESTING_TOO_DEEP", { limit: String(MAX_NESTING) });
  }
}

const MAX_NESTING = 64;

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function nestsWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((child) => nestsWithin(child, levels - 1));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
