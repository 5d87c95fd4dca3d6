import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { fewAtOnce } from "../../src/concurrency/few-at-once.ts";

test("so many are worked on at a time, and the results stand in the order of the items", async () => {
  let running = 0;
  let most = 0;
  const results = await fewAtOnce([5, 1, 4, 2, 3, 0], 2, async (turns) => {
    running++;
    most = Math.max(most, running);
    for (let n = 0; n < turns; n++) await turn();
    running--;
    return turns * 10;
  });
  expect(results).toEqual([50, 10, 40, 20, 30, 0]);
  expect(most).toBe(2);
});

test("after a failure nothing more is begun", async () => {
  const begun: number[] = [];
  const work = fewAtOnce([0, 1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    await turn();
    if (item === 1) throw new Error("1 fails");
  });
  await expect(work).rejects.toThrow("1 fails");
  for (let n = 0; n < 10; n++) await turn();
  expect(begun).toEqual([0, 1, 2]);
});

test("nothing is done about no items", async () => {
  expect(await fewAtOnce([], 4, () => Promise.reject(new Error("asked")))).toEqual([]);
});
