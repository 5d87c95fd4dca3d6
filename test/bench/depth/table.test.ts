import { expect, it } from "vitest";
import { limitOf } from "./dimension.ts";
import { missed } from "./table.ts";

it("an operation may cost so much at any size, and so much more for each that it shows", () => {
  expect(limitOf({ most: 1.5, each: 0 }, 1000, 1)).toBe(1.5);
  expect(limitOf({ most: 2, each: 0.5 }, 11, 1)).toBe(7);
});

it("what grows more than it may is told with its size, and what could not be measured too", () => {
  const growth = { dimension: "versions", operation: "read", microseconds: 300 };
  const grown = (size: number, ratio: number) => ({ size, ratio, limit: 1.3 });
  expect(missed([{ ...growth, sizes: [grown(1, 1), grown(10, 1.3), grown(100, 1.31)] }])).toEqual([
    "versions, read: 1.31 times the smallest at 100, the bar is 1.3",
  ]);
  expect(missed([{ ...growth, sizes: [grown(1, 1), grown(10, Number.NaN)] }])).toHaveLength(1);
});
