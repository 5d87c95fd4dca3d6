/** What a message, an object or a list takes beside what is in it. */
const OF_OBJECT = 64;
/** What a number or a truth value takes, and a text beside its characters. */
const OF_VALUE = 8;

/**
 * What a message, or JSON, takes in memory, about: never less than when it is encoded, and many times as much where it is made
 * of small elements. To encode it for that would take several times as long.
 */
export function roughBytes(part: unknown): number {
  if (typeof part === "string") return OF_VALUE + part.length;
  if (typeof part !== "object" || part === null) return OF_VALUE;
  if (part instanceof Uint8Array) return OF_OBJECT + part.length;
  let bytes = OF_OBJECT;
  for (const inner of Array.isArray(part) ? part : Object.values(part)) bytes += roughBytes(inner);
  return bytes;
}
