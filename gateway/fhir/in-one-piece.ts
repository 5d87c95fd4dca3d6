/**
 * A text of several parts that is put together at once: V8 writes JSON half as fast when it holds a text that refers to
 * its parts, as those of templates do.
 */
export function inOnePiece(...parts: readonly string[]): string {
  return parts.join("");
}
