// Writes the generated .proto files, the resource types of R5, its codes, and the element order of FHIR XML. With --check it writes nothing and fails when one is out of date.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateBoundCodes } from "./bound-codes.ts";
import { generateElementOrder } from "./element-order.ts";
import { generateProto } from "./generate.ts";
import { generateResourceTypes } from "./resource-types.ts";

const root = join(import.meta.dirname, "../..");
const generated: [path: string, text: string][] = [
  ...[...generateProto()].map(([path, text]): [string, string] => [join("proto", path), text]),
  ["gateway/fhir/element-order.json", generateElementOrder()],
  ["src/content-rules/bound-codes.json", generateBoundCodes()],
  ["src/structure/resource-types.json", generateResourceTypes()],
];
const stale = generated.filter(([path, text]) => current(join(root, path)) !== text);

if (process.argv.includes("--check")) {
  for (const [path] of stale) console.error(`${path} is out of date: run node proto/generate/main.ts`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const [path, text] of stale) writeFileSync(join(root, path), text);
  console.log(`${stale.length} files written`);
}

function current(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
