// Generates everything that is generated and fails when anything was not what it should be.
import { execFileSync, execSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const GENERATED = [
  "proto/patientindex",
  "proto/gen",
  "proto/baseline.binpb",
  "prisma/gen",
  "docs",
  "gateway/capability/granted.gen.ts",
  "gateway/fhir/element-order.json",
  "src/content-rules/bound-codes.json",
  "src/structure/resource-types.json",
];

const before = digests();
execSync("npm run --silent generate", { stdio: ["ignore", "ignore", "inherit"] });
const after = digests();
const stale = [...new Set([...before.keys(), ...after.keys()])].filter(
  (path) => before.get(path) !== after.get(path),
);
if (stale.length > 0) {
  console.error(`Out of date until now, generated anew; commit them:\n${stale.join("\n")}`);
  process.exitCode = 1;
}

function digests() {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "--", ...GENERATED], {
    encoding: "utf8",
  });
  const present = listed.split("\n").filter((path) => path !== "");
  return new Map(present.map((path) => [path, digest(path)]));
}

function digest(path) {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch (cause) {
    if (cause.code === "ENOENT") return "missing";
    throw cause;
  }
}
