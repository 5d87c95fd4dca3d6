/**
 * What a message takes, about, when it is encoded: its texts and bytes, which are nearly all of it. To encode it for that
 * would take several times as long.
 */
export function roughBytes(message: object): number {
  let bytes = 0;
  for (const part of Array.isArray(message) ? message : Object.values(message)) bytes += bytesOfPart(part);
  return bytes;
}

function bytesOfPart(part: unknown): number {
  if (typeof part === "string") return part.length;
  if (typeof part !== "object" || part === null) return 0;
  if (part instanceof Uint8Array) return part.length;
  return roughBytes(part);
}
