/** Values of a search parameter, split at its commas; a comma behind a backslash is part of a value (R5 search, 3.2.1.5.7). */
export function splitValues(text: string): string[] {
  const values: string[] = [];
  let start = 0;
  for (let position = 0; position < text.length; position++) {
    if (text[position] === "\\") position++;
    else if (text[position] === ",") {
      values.push(text.slice(start, position));
      start = position + 1;
    }
  }
  return [...values, text.slice(start)];
}

/** A value without FHIR's escapes: `\,` `\|` `\$` `\\`. */
export function unescaped(value: string): string {
  return value.includes("\\") ? value.replace(/\\([,|$\\])/g, "$1") : value;
}
