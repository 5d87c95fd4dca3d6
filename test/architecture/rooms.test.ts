import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const REPOSITORY = join(import.meta.dirname, "../..");
const PAGE = readFileSync(join(REPOSITORY, "docs/architecture.md"), "utf8");
/** What the tables of rooms name: their first cells. */
const NAMED = new Set(
  [...PAGE.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = ""]) => cell.replaceAll("`", "").split(", ")),
);

describe("docs/architecture.md", () => {
  it.each([
    { folder: "src", prefix: "src/" },
    { folder: "src/storage", prefix: "" },
    { folder: "gateway", prefix: "" },
  ])("names every room of $folder", ({ folder, prefix }) => {
    const rooms = readdirSync(join(REPOSITORY, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${prefix}${name}/`);
    expect(rooms.filter((room) => !NAMED.has(room))).toEqual([]);
  });
});
