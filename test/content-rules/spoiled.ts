import fc from "fast-check";

/** Texts that stand where others are expected: of every kind of code, date, tag and number, and of none. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "",
    " ",
    "0000-00-00",
    "9999-12-31",
    "2026-02-30T99:00:00Z",
    "x-a",
    "und",
    "en-u-ca",
    "__proto__",
  ),
  fc.constantFrom(
    "https://fhir.ee/sid/pid/est/ni",
    "https://fhir.ee/sid/pid/constructor/ppn",
    "urn:ietf:bcp:47",
  ),
);

/** A copy of a message in which some texts are others, and some elements are gone. */
export function spoiled<T extends object>(valid: T): fc.Arbitrary<T> {
  const leaves = leavesOf(valid, []);
  const change = fc.tuple(
    fc.nat({ max: Math.max(leaves.length - 1, 0) }),
    fc.option(text, { nil: undefined }),
  );
  return fc.array(change, { minLength: 1, maxLength: 12 }).map((changes) => {
    const copy = structuredClone(valid);
    for (const [at, value] of changes) replace(copy, leaves[at] ?? [], value);
    return copy;
  });
}

type Path = readonly (string | number)[];

function leavesOf(node: unknown, path: Path): Path[] {
  if (typeof node === "string") return path.at(-1) === "$typeName" || path.at(-1) === "case" ? [] : [path];
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, child]) => leavesOf(child, [...path, key]));
}

function replace(root: object, path: Path, value: string | undefined): void {
  let node = root as Record<string, unknown>;
  for (const key of path.slice(0, -1)) node = node[key] as Record<string, unknown>;
  const last = path.at(-1);
  // A list of texts and a choice have no holes: only an element can be missing.
  if (last !== undefined) node[last] = value ?? (Array.isArray(node) || last === "value" ? "" : undefined);
}
