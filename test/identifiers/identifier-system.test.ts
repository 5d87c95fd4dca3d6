import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { parseIdentifierSystem } from "../../src/identifiers/index.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it("of systems that nobody knows nothing is kept, however many clients send", () => {
  const before = heapInUse();
  for (let n = 0; n < 500; n++) {
    expect(parseIdentifierSystem(`https://fhir.ee/sid/pid/est/${n}/${"x".repeat(100_000)}`)).toBeUndefined();
  }
  // All of them would be 50 MB.
  expect(heapInUse() - before).toBeLessThan(10_000_000);
});
