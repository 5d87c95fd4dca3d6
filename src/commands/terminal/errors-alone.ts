/** The log of a command, whose steps are told by itself: errors alone, to standard error. */
export const errorsAlone = {
  info: () => undefined,
  warn: () => undefined,
  error: (line: string) => console.error(line),
};
