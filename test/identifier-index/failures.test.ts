import { createSecretKey, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { defaultErrorSystems, type MpiError, renderError } from "../../src/errors/index.ts";
import { blind, type IndexKey, seal, sealBytes } from "../../src/identifier-index/index.ts";

const BINDING = { patientId: 1n, owner: 1n, n: 1, country: "fin", type: "ni" };

/** A key that a provider gave out broken: too short for AES-256, and of no use for an HMAC. */
const broken: IndexKey = {
  keyId: "broken",
  encryption: createSecretKey(randomBytes(5)),
  hmac: undefined as never,
};

function refusalOf(work: () => unknown): { code: string | undefined; text: string } {
  try {
    work();
  } catch (error) {
    const presentation = { version: "1.5.0", language: "en", systems: defaultErrorSystems } as const;
    const [issue] = renderError(error as MpiError, presentation, 100_000).details.issues;
    return { code: issue?.code, text: JSON.stringify(error) };
  }
  throw new Error("The key worked.");
}

describe("a key that cannot be used", () => {
  test("is MPI-002 where a value is to be sealed with it", () => {
    expect(refusalOf(() => seal(broken, BINDING, "131052-308T")).code).toBe("MPI-002");
    expect(refusalOf(() => sealBytes(broken, "context", Uint8Array.of(1))).code).toBe("MPI-002");
  });

  test("is MPI-004 where a value is to be looked up by it", () => {
    const { code, text } = refusalOf(() => blind(broken, "131052-308T"));
    expect(code).toBe("MPI-004");
    expect(text).not.toContain("131052");
  });
});
