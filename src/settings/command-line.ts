import { type ParseArgsConfig, parseArgs } from "node:util";

type Options = NonNullable<ParseArgsConfig["options"]>;

type Values<Known extends Options> = ReturnType<
  typeof parseArgs<{ readonly options: Known; readonly strict: true }>
>["values"];

/** What a program is told on its command line. */
export interface CommandLine<Known extends Options> {
  readonly values: Values<Known>;
  readonly positionals: readonly string[];
}

/** EX_USAGE of sysexits.h: no result of a program has this number. */
const WRONG_USAGE = 64;

/** Ends this program with its usage: because it was asked for (0), or because of what is wrong, which is said first (64). */
export function endWithUsage(usage: string, wrong?: string): never {
  if (wrong === undefined) console.log(usage);
  else console.error(`${wrong}\n\n${usage}`);
  process.exit(wrong === undefined ? 0 : WRONG_USAGE);
}

/**
 * The command line of this program: its options, and at most so many words beside them. With `--help` or `-h`, and where
 * something else stands there, the program ends with its usage.
 */
export function commandLine<const Known extends Options = Record<never, never>>(
  usage: string,
  options?: Known,
  words = 0,
): CommandLine<Known> {
  const parsed = orEndWithUsage(usage, () =>
    parseArgs({
      options: { ...options, help: { type: "boolean", short: "h" } },
      allowPositionals: words > 0,
    }),
  );
  const { values, positionals } = parsed;
  if (values["help"]) endWithUsage(usage);
  if (positionals.length > words) endWithUsage(usage, `There is one word too many: ${positionals[words]}`);
  return { values: values as Values<Known>, positionals };
}

/** What reading gives; what it throws is what is wrong with the command line. */
export function orEndWithUsage<Value>(usage: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    return endWithUsage(usage, error instanceof Error ? error.message : String(error));
  }
}
