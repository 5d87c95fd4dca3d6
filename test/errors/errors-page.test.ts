import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { errorsPage } from "../../src/errors/errors-page.ts";
import { everyMeaning } from "./catalogue-entries.ts";
import { specification } from "./specification.ts";

test("docs/errors.md is what the catalogue says", async () => {
  expect(await readFile(new URL("../../docs/errors.md", import.meta.url), "utf8")).toBe(errorsPage());
});

test("the page has every meaning once, and every code", () => {
  const page = errorsPage();
  for (const meaning of everyMeaning) expect(page.split(`| \`${meaning}\` |`), meaning).toHaveLength(2);
  const codes = Object.values(specification).flatMap((systems) =>
    Object.values(systems).flatMap(Object.keys),
  );
  for (const code of codes) expect(page, code).toContain(`| ${code} |`);
});

test("its tables have rows of one width", () => {
  const widths = errorsPage()
    .trimEnd()
    .split("\n\n")
    .filter((block) => block.startsWith("|"))
    .map((table) => new Set(table.split("\n").map((row) => row.split(" | ").length)).size);
  expect(widths.length).toBeGreaterThan(10);
  expect(new Set(widths)).toEqual(new Set([1]));
});
