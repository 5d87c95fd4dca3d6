import type { Rename } from "./mpi-error.ts";

/** Where in Bundle.entry.request the headers of a request alone are found. */
const requestElements: Readonly<Record<string, string>> = {
  "http.if-match": "ifMatch",
  "http.if-none-match": "ifNoneMatch",
  "http.if-modified-since": "ifModifiedSince",
  "http.if-none-exist": "ifNoneExist",
};

/** Headers that say who asks and why: those of the Bundle, whatever its entries are. */
const OF_THE_WHOLE = /^http\.(?:authorization|x-road-\w+|x-author-id)$/;

/** What is at fault, seen from the Bundle that a request is an entry of; `parameters` is where its criteria stand. */
export function inBundleEntry(
  expressions: readonly string[],
  place: number,
  parameters: "url" | "ifNoneExist",
): string[] {
  const entry = `Bundle.entry[${place}]`;
  if (expressions.length === 0) return [entry];
  return expressions.map((expression) => {
    if (expression.startsWith("Bundle.") || OF_THE_WHOLE.test(expression)) return expression;
    // A body that is no resource came in a Binary.
    if (expression.startsWith("http.body")) return `${entry}.resource.data`;
    if (expression === "http.content-type") return `${entry}.resource.contentType`;
    // A field of a message says what the address of a request does.
    if (/^(?!http)[a-z]/.test(expression)) return `${entry}.request.url`;
    if (!/^http(?:\.|$)/.test(expression)) return expression.replace(/^[A-Z]\w*/, `${entry}.resource`);
    return `${entry}.request.${requestElements[expression] ?? parameters}`;
  });
}

/** What is at fault in the only entry of a Bundle, seen from a request that is that entry alone. */
export function outOfBundleEntry(resourceType: string): Rename {
  return (expression) => {
    if (!expression.startsWith("Bundle.entry[0]")) return expression;
    const inResource = /^Bundle\.entry\[0\]\.resource(.*)$/.exec(expression);
    return inResource ? `${resourceType}${inResource[1]}` : undefined;
  };
}
