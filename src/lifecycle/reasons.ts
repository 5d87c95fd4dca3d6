const MOST_LINES = 8;

/** What an error and its causes say, a line each, for whoever started the process; of several errors in one, all of them. */
export function reasons(error: unknown): string {
  return linesOf(error, MOST_LINES).join("\n");
}

function linesOf(error: unknown, most: number): string[] {
  if (!(error instanceof Error) || most === 0) return [];
  const behind = error instanceof AggregateError ? error.errors : [error.cause];
  const lines = behind.flatMap((one) => linesOf(one, most - 1));
  return [error.message || error.name, ...lines].slice(0, most);
}
