/** What an error and its causes say, a line each, for whoever started the process. */
export function reasons(error: unknown): string {
  const lines: string[] = [];
  for (let one = error; one instanceof Error && lines.length < 8; one = one.cause) {
    lines.push(one.message || one.name);
  }
  return lines.join("\n");
}
