import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type ChainedEntry, type ChainHead, chained, digestOf, NO_HASH } from "../../src/audit/chain.ts";
import { ChainCheck } from "../../src/audit/check-chain.ts";

const STREAM = 7n;
const recordedAt = new Date("2026-05-01T12:00:00.250Z");
const ofItsOwn = {
  streamId: STREAM,
  recordedAt,
  patientId: 7n,
  keyId: "k1",
  content: new Uint8Array([1, 2, 3]),
  contentN: null,
};

/** A chain of so many entries, as they were written. */
function written(count: number): ChainedEntry[] {
  const entries = Array.from({ length: count }, (_, at) => ({ ...ofItsOwn, content: new Uint8Array([at]) }));
  const digests = entries.map(digestOf);
  const hashes = chained(NO_HASH, digests);
  return entries.map((entry, at) => ({
    ...entry,
    n: BigInt(at + 1),
    digest: digests[at] ?? NO_HASH,
    hash: hashes[at] ?? NO_HASH,
  }));
}

function headOf(entries: readonly ChainedEntry[]): ChainHead {
  const last = entries.at(-1);
  return { streamId: STREAM, n: last?.n ?? 0n, hash: last?.hash ?? NO_HASH };
}

/** What is found of a chain, as place and fault. */
function found(entries: readonly ChainedEntry[], head: ChainHead | undefined, noted?: ChainHead): string[] {
  const check = new ChainCheck(STREAM, noted);
  const problems = [...entries.flatMap((entry) => check.next(entry)), check.end(head)];
  return problems.flatMap((one) => (one ? `${one.n} ${one.fault}` : []));
}

describe("a chain", () => {
  const whole = written(5);
  const head = headOf(whole);

  it("is whole as it was written, also beside an older head of it", () => {
    expect(found(whole, head)).toEqual([]);
    for (const length of [1, 4, 5]) expect(found(whole, head, headOf(written(length)))).toEqual([]);
  });

  it("is cut off before the end that its head tells of, or that an older one told of", () => {
    const short = whole.slice(0, 3);
    expect(found(short, head)).toEqual(["4 cut off"]);
    expect(found(short, headOf(short), head)).toEqual(["4 cut off"]);
    expect(found(short, head, headOf(written(2)))).toEqual(["4 cut off"]);
  });

  it("has another head when that is gone, or is not of the last entry", () => {
    expect(found(whole, undefined)).toEqual(["5 head changed"]);
    expect(found(whole, { ...head, n: 4n })).toEqual(["4 head changed"]);
    expect(found(whole, headOf(whole.slice(0, 4)))).toEqual(["4 head changed"]);
    expect(found(whole, { ...head, hash: NO_HASH })).toEqual(["5 head changed"]);
  });

  it("was rewritten where it is whole but not the one of the older head", () => {
    const other = written(5).map((entry) => ({ ...entry, patientId: 8n }));
    const digests = other.map(digestOf);
    const hashes = chained(NO_HASH, digests);
    const rewritten = other.map((entry, at) => ({
      ...entry,
      digest: digests[at] ?? NO_HASH,
      hash: hashes[at] ?? NO_HASH,
    }));
    expect(found(rewritten, headOf(rewritten))).toEqual([]);
    expect(found(rewritten, headOf(rewritten), headOf(written(3)))).toEqual(["3 rewritten"]);
  });

  it("lacks what was removed, and shows what was changed or moved, each once", () => {
    expect(found(whole.toSpliced(1, 1), head)).toEqual(["2 removed"]);
    const [first, second, third, ...others] = whole as [ChainedEntry, ChainedEntry, ChainedEntry];
    expect(found([first, { ...second, patientId: 8n }, third, ...others], head)).toEqual(["2 changed"]);
    const moved = [first, { ...third, n: 2n }, { ...second, n: 3n }, ...others];
    expect(found(moved, head)).toEqual(["2 out of order", "3 out of order", "4 out of order"]);
  });
});

describe("the digest of an entry", () => {
  const sha256 = (text: string) => new Uint8Array(createHash("sha256").update(text).digest());

  it("stays what it was when the entry was written: SHA-256 of its JSON", () => {
    const at = '"2026-05-01T12:00:00.250Z"';
    expect(new Uint8Array(digestOf(ofItsOwn))).toEqual(sha256(`["7",${at},"7","k1","AQID"]`));
    const ofNobody = { ...ofItsOwn, streamId: -1n, patientId: null };
    expect(new Uint8Array(digestOf(ofNobody))).toEqual(sha256(`["-1",${at},null,"k1","AQID"]`));
    const together = { ...ofItsOwn, keyId: null, content: null, contentN: 3n };
    expect(new Uint8Array(digestOf(together))).toEqual(sha256(`["7",${at},"7",null,null,"3"]`));
  });

  it("is another one when anything of it is", () => {
    const changes = [
      { streamId: 8n },
      { recordedAt: new Date(recordedAt.getTime() + 1) },
      { patientId: 8n },
      { patientId: null },
      { keyId: "k2" },
      { content: new Uint8Array([1, 2, 4]) },
      { contentN: 1n },
    ];
    const digests = [{}, ...changes].map((change) =>
      Buffer.from(digestOf({ ...ofItsOwn, ...change })).toString("hex"),
    );
    expect(new Set(digests).size).toBe(digests.length);
  });
});
