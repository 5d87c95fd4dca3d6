import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkLanguageTag, collectFaults } from "../../src/content-rules/index.ts";
import { codes } from "./faults.ts";

function isAccepted(tag: string): boolean {
  const { report, faults } = collectFaults();
  checkLanguageTag(tag, "Patient.language", report);
  if (faults.length > 0) expect(codes(faults)).toEqual(["MPI-096 Patient.language"]);
  return faults.length === 0;
}

const letters = (min: number, max: number) => fc.stringMatching(new RegExp(`^[a-zA-Z]{${min},${max}}$`));
const letterOrDigits = (min: number, max: number) =>
  fc.stringMatching(new RegExp(`^[a-zA-Z0-9]{${min},${max}}$`));
const optional = (part: fc.Arbitrary<string>) => fc.option(part, { nil: "" });
const withHyphen = (part: fc.Arbitrary<string>) => part.map((subtag) => `-${subtag}`);
const repeated = (part: fc.Arbitrary<string>, minLength: number, maxLength: number) =>
  fc.array(withHyphen(part), { minLength, maxLength }).map((subtags) => subtags.join(""));
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(""));

const language = fc.oneof(joined(letters(2, 3), repeated(letters(3, 3), 0, 3)), letters(4, 8));
const script = withHyphen(letters(4, 4));
const region = withHyphen(fc.oneof(letters(2, 2), fc.stringMatching(/^\d{3}$/)));
const variant = fc.oneof(letterOrDigits(5, 8), joined(fc.stringMatching(/^\d$/), letterOrDigits(3, 3)));
const differing = (part: fc.Arbitrary<string>, maxLength: number) =>
  fc.uniqueArray(part, { maxLength, selector: (subtag) => subtag.toLowerCase() });
const variants = differing(variant, 3).map((subtags) => subtags.map((subtag) => `-${subtag}`).join(""));
const singleton = fc.stringMatching(/^[0-9a-wyzA-WYZ]$/);
const extensions = differing(singleton, 2).chain((singletons) =>
  joined(
    fc.constant(""),
    ...singletons.map((one) => joined(fc.constant(`-${one}`), repeated(letterOrDigits(2, 8), 1, 3))),
  ),
);
const privateUse = joined(fc.constantFrom("x", "X"), repeated(letterOrDigits(1, 8), 1, 3));

/** Tags by the grammar of RFC 5646, section 2.1, written down a second time. */
const wellFormed = fc.oneof(
  joined(
    language,
    optional(script),
    optional(region),
    variants,
    extensions,
    optional(withHyphen(privateUse)),
  ),
  privateUse,
);

/** Texts of which the engine takes a good part. */
const nearlyTags = fc
  .array(fc.oneof(letterOrDigits(1, 9), fc.constantFrom("en", "u", "t", "x", "ca", "h0", "hybrid", "Latn")), {
    minLength: 1,
    maxLength: 6,
  })
  .map((subtags) => subtags.join("-"));

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

describe("a language tag", () => {
  it("is well-formed by the grammar of BCP 47, registered or not", () => {
    fc.assert(fc.property(wellFormed, isAccepted), { numRuns: 1000 });
  });

  it("is well-formed when the engine takes it, and so is its canonical form", () => {
    fc.assert(
      fc.property(fc.oneof(wellFormed, nearlyTags), (tag) => {
        const form = canonical(tag);
        if (form === undefined) return;
        expect([isAccepted(tag), isAccepted(form)]).toEqual([true, true]);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    "zh-yue",
    "sgn-ase",
    "zh-cmn-Hans-CN",
    "zh-min-nan",
    "x-test",
    "x-1-a",
    "qaa-x-a",
    "de-x-en",
    "abcd",
  ])("may be %s", (tag) => {
    expect(isAccepted(tag)).toBe(true);
  });

  it.each(["i-klingon", "I-Default", "en-GB-oed", "sgn-BE-FR", "art-lojban", "zh-xiang"])(
    "may be %s, which was registered before there was a grammar",
    (tag) => {
      expect(isAccepted(tag)).toBe(true);
    },
  );

  it.each([
    "",
    " ",
    "e",
    "x",
    "x-",
    "x-abcdefghi",
    "i-unheard",
    "en-",
    "-en",
    "en--GB",
    "en_GB",
    "en-a",
    "en-x",
    "en-u-x-a",
    "en-GB-Latn",
    "abcd-abc",
    "zh-aaa-bbb-ccc-ddd",
    "abcdefghi",
    "et\n",
    "ſk",
  ])("cannot be %j", (tag) => {
    expect(isAccepted(tag)).toBe(false);
  });

  it.each(["de-1996-1996", "sl-rozaj-ROZAJ", "en-a-bb-a-cc", "en-a-bb-A-cc"])(
    "says nothing twice, as %s does",
    (tag) => {
      expect(isAccepted(tag)).toBe(false);
    },
  );

  it("may say anything twice in private use and within an extension", () => {
    expect(isAccepted("en-x-a-a")).toBe(true);
    expect(isAccepted("en-1996-a-1996-1996-x-1996")).toBe(true);
  });
});
