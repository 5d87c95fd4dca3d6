/** The messages of an error and its causes. */
export function reasons(error: unknown): string {
  const lines: string[] = [];
  for (let one = error; one instanceof Error && lines.length < 8; one = one.cause) lines.push(one.message);
  return lines.join("\n");
}
