/**
 * What a header says: Node hands its bytes over as Latin-1, whichever encoding the client meant. That is UTF-8 wherever
 * the bytes can be.
 */
export function headerText(latin1: string): string {
  const text = Buffer.from(latin1, "latin1").toString("utf8");
  return text.includes("\u{fffd}") ? latin1 : text;
}
