import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const PAGES = ["README.md", ...readdirSync(join(ROOT, "docs")).map((name) => `docs/${name}`)];

/** A path from the root of the clone, in backticks; one with a part that varies is none. */
const NAMED_PATH = /`((?:docs|gateway|prisma|proto|src|test)\/[\w./-]*)`/g;

describe("the documentation", () => {
  it.for(PAGES)("%s links to pages and headings that there are", (page) => {
    const broken = linksOf(page).filter((link) => !leadsSomewhere(page, link));
    expect(broken).toEqual([]);
  });

  it.for(PAGES)("%s names files and folders that there are", (page) => {
    const named = [...textOf(page).matchAll(NAMED_PATH)].map(([, path = ""]) => path);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

/** Links within the clone, as they are written. */
function linksOf(page: string): string[] {
  const links = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links.filter((link) => !/^https?:/.test(link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", heading] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(ROOT, target))) return false;
  return heading === undefined || anchorsOf(target).has(heading);
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

function textOf(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}
