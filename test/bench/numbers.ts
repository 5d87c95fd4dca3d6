import { parseArgs } from "node:util";

/** Options of the command line that are numbers above 0, by name, with what they are unless given. */
export function parseNumbers<const Name extends string>(
  defaults: Readonly<Record<Name, number>>,
): Readonly<Record<Name, number>> {
  const names = Object.keys(defaults) as Name[];
  const { values } = parseArgs({
    options: Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
  });
  const number = (name: Name) => {
    const given = values[name];
    return given === undefined ? defaults[name] : positive(`--${name}`, String(given));
  };
  return Object.fromEntries(names.map((name) => [name, number(name)])) as Record<Name, number>;
}

export function positive(name: string, given: string): number {
  const value = Number(given);
  if (!(value > 0)) throw new Error(`${name} must be a number above 0.`);
  return value;
}
