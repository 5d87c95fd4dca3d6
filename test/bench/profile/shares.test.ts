import { expect, it } from "vitest";
import { sharesOf } from "./shares.ts";

const OURS = "file:///anywhere/index/src/matching/blocks.ts";

it("busy time is divided by where functions stand; neither idle time is of it, nor that in which the profiler began", () => {
  const { busy, byArea } = sharesOf({
    nodes: [
      node(1, "(root)", "", [2, 3, 4]),
      node(2, "(idle)", ""),
      node(3, "(garbage collector)", ""),
      node(4, "blocksOf", OURS),
    ],
    samples: [4, 2, 3, 4, 2],
    timeDeltas: [90_000, 200, 500, 100, 100],
  });
  expect(busy).toBe(400);
  expect(Object.fromEntries(byArea)).toEqual({ "collecting garbage": 0.25, "keys for matching": 0.75 });
});

it("what V8 and Node do for a function counts for it, and the cryptography that it asks for does not", () => {
  const { byArea } = sharesOf({
    nodes: [
      node(1, "(root)", "", [2]),
      node(2, "blocksOf", OURS, [3, 4]),
      node(3, "replace", ""),
      node(4, "Hmac", "node:internal/crypto/hash", [5]),
      node(5, "toString", "node:buffer"),
    ],
    samples: [3, 5, 5],
    timeDeltas: [0, 300, 100],
  });
  expect(Object.fromEntries(byArea)).toEqual({ "keys for matching": 0.75, cryptography: 0.25 });
});

it("a package is told from code of ours with the same folders", () => {
  const url = "file:///anywhere/index/node_modules/some-package/src/matching/blocks.ts";
  const { byArea } = sharesOf({
    nodes: [node(1, "(root)", "", [2]), node(2, "blocksOf", url)],
    samples: [2, 2],
    timeDeltas: [0, 1],
  });
  expect([...byArea.keys()]).toEqual(["other packages"]);
});

function node(id: number, functionName: string, url: string, children: readonly number[] = []) {
  return { id, callFrame: { functionName, url }, children };
}
