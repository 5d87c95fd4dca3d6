import { describe, expect, test } from "vitest";
import { fault, GrpcStatus } from "../../src/errors/index.ts";
import { CheckedAuthors } from "../../src/registers/index.ts";
import type { PopulationRegister } from "../../src/registers/ports.ts";
import { RegisterFailure } from "../../src/registers/ports.ts";

const AUTHOR = "38010130257";
const KEEP_MS = 1_000;

type Answer = "person" | "nobody" | "silence";

function authorsWith(): {
  authors: CheckedAuthors;
  register: { says: Answer; asked: number };
  at: (ms: number) => void;
  failures: unknown[];
} {
  const register = { says: "person" as Answer, asked: 0 };
  const failures: unknown[] = [];
  let clock = 0;
  const readPerson = async () => {
    register.asked++;
    if (register.says === "person") return {};
    const [first, status] =
      register.says === "nobody"
        ? [fault("XROAD_RR_PERSON_OR_ACCOUNT_INVALID", { original: "10027" }), GrpcStatus.UNKNOWN]
        : [fault("XROAD_RR_SYSTEM_ERROR"), GrpcStatus.UNAVAILABLE];
    const rest = register.says === "nobody" ? [fault("RR_PERSON_ABSENT")] : [];
    throw new RegisterFailure([first, ...rest], status, undefined);
  };
  const authors = new CheckedAuthors({
    population: { readPerson } as unknown as PopulationRegister,
    anonymousCode: "00000000000",
    keepMs: KEEP_MS,
    now: () => clock,
    onFailure: (error) => failures.push(error),
  });
  const at = (ms: number) => {
    clock = ms;
  };
  return { authors, register, failures, at };
}

const atOnce = (check: () => void) => check();
const never = () => {
  throw new Error("The register was asked.");
};

describe("an author", () => {
  test("is known once he was found, without a question until the answer is old", async () => {
    const { authors, register, at } = authorsWith();
    expect(authors.isKnown(AUTHOR, never)).toBe(false);
    await authors.check(AUTHOR);
    at(KEEP_MS - 1);
    expect(authors.isKnown(AUTHOR, never)).toBe(true);
    expect(register.asked).toBe(1);
  });

  test("who was found long ago goes on, and is looked for again once, for all", async () => {
    const { authors, register, at } = authorsWith();
    await authors.check(AUTHOR);
    at(KEEP_MS);
    for (let call = 0; call < 5; call++) expect(authors.isKnown(AUTHOR, atOnce)).toBe(true);
    expect(register.asked).toBe(2);
  });

  test("who is no longer there is refused from the next call on", async () => {
    const { authors, register, at } = authorsWith();
    await authors.check(AUTHOR);
    at(KEEP_MS);
    register.says = "nobody";
    expect(authors.isKnown(AUTHOR, atOnce)).toBe(true);
    await expect.poll(() => authors.isKnown(AUTHOR, never)).toBe(false);
    await expect(authors.check(AUTHOR)).rejects.toThrow("AUTHOR_UNKNOWN_IN_RR");
  });

  test("goes on while the register is silent, which is told, and not asked again at once", async () => {
    const { authors, register, failures, at } = authorsWith();
    await authors.check(AUTHOR);
    at(KEEP_MS);
    register.says = "silence";
    expect(authors.isKnown(AUTHOR, atOnce)).toBe(true);
    await expect.poll(() => failures.length).toBe(1);
    expect(authors.isKnown(AUTHOR, never)).toBe(true);
    at(KEEP_MS + 60_000);
    expect(authors.isKnown(AUTHOR, atOnce)).toBe(true);
    expect(register.asked).toBe(3);
  });
});
