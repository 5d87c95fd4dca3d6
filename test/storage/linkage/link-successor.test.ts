import { afterAll, beforeAll, expect, it } from "vitest";
import type { MpiError } from "../../../src/errors/index.ts";
import { linkSuccessor } from "../../../src/linkage/index.ts";
import { expectNoDeadlock, notifications } from "./agreement.ts";
import { type LinkageUnderTest, linksOf, openLinkage } from "./linked-patients.ts";

let opened: LinkageUnderTest;
let refused: string[];

beforeAll(async () => {
  opened = await openLinkage();
});

afterAll(() => opened.close());

async function linkToSuccessor(old: string, successor: string): Promise<void> {
  const { links, telling, patients } = opened.linkage;
  const onRefused = (_: unknown, { message }: MpiError) => void refused.push(message);
  const pair = { source: BigInt(old), target: BigInt(successor) };
  await linkSuccessor({ links, telling, now: patients.now, onRefused }, pair);
}

/** New records of Estonian personal codes. */
async function records(count: number): Promise<string[]> {
  refused = [];
  return await Promise.all(Array.from({ length: count }, () => opened.add(["est/ni"])));
}

it("a chain of codes that many link at once, in any order, is linked once and told once", async () => {
  const [a = "", b = "", c = "", d = ""] = await records(4);
  const pairs = [[a, b] as const, [b, c] as const, [c, d] as const];
  const orders = [pairs, pairs.toReversed(), [pairs[1], pairs[0], pairs[2]]];
  const work = Array.from({ length: 4 }, () => orders)
    .flat()
    .map(async (order) => {
      for (const pair of order) if (pair) await linkToSuccessor(...pair);
    });
  await Promise.all(work);
  expect(linksOf(await opened.read(d)).sort()).toEqual([a, b, c].map((id) => `replaces ${id}`).sort());
  for (const id of [a, b, c]) expect(linksOf(await opened.read(id))).toEqual([`replaced-by ${d}`]);
  expect(refused).toEqual([]);
  const told = await notifications(opened);
  expect(told.map(({ secondaryId, primaryId }) => `${secondaryId}>${primaryId}`).sort()).toEqual(
    pairs.map((pair) => pair.join(">")).sort(),
  );
  await expectNoDeadlock(opened);
});

it("two codes that are in one group already are left as they are", async () => {
  const [a = "", b = "", c = ""] = await records(3);
  await linkToSuccessor(a, b);
  await linkToSuccessor(b, c);
  const before = await Promise.all([a, b, c].map((id) => opened.read(id)));
  await linkToSuccessor(a, c);
  expect(await Promise.all([a, b, c].map((id) => opened.read(id)))).toEqual(before);
  expect(refused).toEqual([]);
});

it("an old code that is below somebody else, or above its successor, stays there, and it is told why", async () => {
  const [a = "", b = "", other = ""] = await records(3);
  await linkToSuccessor(a, other);
  await linkToSuccessor(a, b);
  await linkToSuccessor(other, a);
  expect(linksOf(await opened.read(a))).toEqual([`replaced-by ${other}`]);
  expect(linksOf(await opened.read(b))).toEqual([]);
  expect(refused).toEqual(["SECONDARY_ALREADY_LINKED", "SECONDARY_ALREADY_LINKED"]);
});
