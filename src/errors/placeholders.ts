/** The names between `${` and `}` in a text, as a union of string literals. */
export type PlaceholdersIn<Text extends string> = Text extends `${string}\${${infer Name}}${infer Rest}`
  ? Name | PlaceholdersIn<Rest>
  : never;

const placeholder = /\$\{([^}]+)\}/g;

/** The names between `${` and `}` in a text, in order, each once. */
export function placeholdersIn(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(placeholder), (match) => match[1] ?? ""))];
}

/**
 * Puts the parameters in the place of their placeholders. What a parameter holds is not looked at again,
 * so a value with a placeholder in it stays as it is. A parameter that is not there is left out as nothing:
 * the types demand them all, so this is met only by calls without types.
 */
export function fillIn(text: string, parameters: Readonly<Record<string, string>>): string {
  return text.replace(placeholder, (_, name: string) => parameters[name] ?? "");
}
