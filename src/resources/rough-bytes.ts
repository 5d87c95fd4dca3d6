/** What a message or a list takes beside what is in it. */
const OF_OBJECT = 64;
/** What a number or a truth value takes, and a text beside its characters. */
const OF_VALUE = 8;

/**
 * What a message takes in memory, about: never less than when it is encoded, and many times as much where it is made of small
 * elements. To encode it for that would take several times as long.
 */
export function roughBytes(message: object): number {
  let bytes = OF_OBJECT;
  for (const part of Array.isArray(message) ? message : Object.values(message)) bytes += bytesOfPart(part);
  return bytes;
}

function bytesOfPart(part: unknown): number {
  if (typeof part === "string") return OF_VALUE + part.length;
  if (typeof part !== "object" || part === null) return OF_VALUE;
  if (part instanceof Uint8Array) return OF_OBJECT + part.length;
  return roughBytes(part);
}
