import { join } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { describe, expect, it } from "vitest";
import configuration from "../../.dependency-cruiser.mjs";

const REPOSITORY = join(import.meta.dirname, "../..");
const PLANTED = join(import.meta.dirname, "planted");

describe("the import rules", () => {
  it("hold in the whole repository", async () => {
    const result = await violationsIn(REPOSITORY, ["src", "gateway", "proto/gen"]);
    expect(result.violations).toEqual([]);
    expect(result.modules).toBeGreaterThan(100);
  });

  it("see planted violations", async () => {
    const { violations } = await violationsIn(PLANTED, ["src"]);
    expect(violations.toSorted()).toEqual([
      "features-know-ports-not-storage: src/patients/reaches-storage.ts",
      "no-circles-of-rooms: src/patients",
      "no-circles-of-rooms: src/storage",
      "no-circles-of-rooms: src/storage/audit",
      "no-circles-of-rooms: src/storage/linkage",
      "rooms-of-storage-below-the-whole: src/storage/linkage/asks-whole.ts",
      "rules-know-no-call: src/patients/rules/asks-call.ts",
      "rules-know-rules: src/patients/rules/asks-register.ts",
    ]);
  });
});

async function violationsIn(baseDir: string, folders: string[]) {
  const { exclude: _, ...options } = configuration.options ?? {};
  const ruleSet = { forbidden: configuration.forbidden ?? [] };
  const { output } = await cruise(folders, { ...options, baseDir, validate: true, ruleSet });
  const { summary } = output as ICruiseResult;
  return {
    modules: summary.totalCruised,
    violations: summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`),
  };
}
