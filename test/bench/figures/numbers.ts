import { commandLine, orEndWithUsage } from "../../../src/settings/command-line.ts";

/**
 * Options of the command line that are numbers above 0, by name, with what they are unless given; NaN is for one that is
 * worked out then. The usage begins with the command and what it measures.
 */
export function parseNumbers<const Name extends string>(
  what: string,
  defaults: Readonly<Record<Name, number>>,
): Readonly<Record<Name, number>> {
  const names = Object.keys(defaults) as Name[];
  const lines = names.map((name) => `  --${name} N`.padEnd(20) + shown(defaults[name]));
  const usage = [what, "", ...lines].join("\n");
  const { values } = commandLine(
    usage,
    Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
  );
  const number = (name: Name) => {
    const given = values[name];
    return given === undefined ? defaults[name] : positive(`--${name}`, given);
  };
  return orEndWithUsage(
    usage,
    () => Object.fromEntries(names.map((name) => [name, number(name)])) as Record<Name, number>,
  );
}

export function positive(name: string, given: string): number {
  const value = Number(given);
  if (!(value > 0)) throw new Error(`${name} must be a number above 0.`);
  return value;
}

function shown(value: number): string {
  return Number.isNaN(value) ? "" : `(${value})`;
}
