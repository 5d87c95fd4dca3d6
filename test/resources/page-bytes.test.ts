import { describe, expect, it } from "vitest";
import { fitting, placeOfPage, sizeOfWholePages } from "../../src/resources/index.ts";

const MEGABYTE = 1024 * 1024;
const bytes = (size: number) => size * MEGABYTE;

describe("a page", () => {
  it("holds what fits into three megabytes, and one at least", () => {
    expect(fitting([1, 1, 1], bytes)).toEqual([1, 1, 1]);
    expect(fitting([1, 1, 1, 0.1], bytes)).toEqual([1, 1, 1]);
    expect(fitting([1, 3, 1], bytes)).toEqual([1]);
    expect(fitting([9, 1], bytes)).toEqual([9]);
    expect(fitting([], bytes)).toEqual([]);
  });

  /** The places at which the pages of a list begin when each page holds what fits, and the next one follows it. */
  function beginnings(sizes: readonly number[], size: number): number[] {
    const begun: number[] = [];
    for (let asked = { page: 1, size }; ; ) {
      const start = (asked.page - 1) * asked.size;
      begun.push(start);
      const wanted = sizes.slice(start, start + asked.size);
      const fit = fitting(wanted, bytes).length;
      const endsAfter = fit < wanted.length ? sizeOfWholePages(start, fit) : undefined;
      const place = placeOfPage(asked, { total: sizes.length, endsAfter });
      expect(place).toMatchObject({ total: sizes.length });
      expect((place.page - 1) * place.pageSize).toBe(start);
      if (!place.hasMore) return begun;
      asked = { page: place.page + 1, size: place.pageSize };
    }
  }

  it("that ends early is followed by one that begins where it ended, however large what follows is", () => {
    expect(beginnings([1, 1, 1, 1, 1, 1, 1], 20)).toEqual([0, 3, 6]);
    expect(beginnings([0, 0, 0, 0, 0, 3, 3, 3, 0, 0], 5)).toEqual([0, 5, 6, 7, 8, 9]);
    expect(beginnings([0, 0, 0], 2)).toEqual([0, 2]);
    for (const asked of [1, 2, 3, 7, 20, 97, 100]) {
      for (const seed of [1, 2, 3]) {
        const sizes = Array.from({ length: 211 }, (_, n) => ((n * 7919 * seed) % 13) / 4);
        const begun = beginnings(sizes, asked);
        expect(begun).toEqual([...new Set(begun)].sort((one, other) => one - other));
        for (const [at, start] of begun.entries()) {
          const end = begun[at + 1] ?? sizes.length;
          expect(end - start).toBeLessThanOrEqual(asked);
          const page = sizes.slice(start, end);
          expect(page.length === 1 || page.reduce((sum, one) => sum + one, 0) <= 3).toBe(true);
        }
      }
    }
  });
});
