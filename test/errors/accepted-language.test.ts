import { expect, test } from "vitest";
import { acceptedLanguage } from "../../src/errors/accepted-language.ts";

test.each([
  [null, "et"],
  ["", "et"],
  ["en", "en"],
  ["en-GB", "en"],
  ["EN", "en"],
  ["et-EE,et;q=0.9,en;q=0.8", "et"],
  ["et;q=0.3, en;q=0.7", "en"],
  ["de, en;q=0.1", "en"],
  ["de", "et"],
  ["en;q=0", "et"],
  ["en;q=0, et;q=0.1", "et"],
  ["en, et", "en"],
  ["*", "et"],
  ["*;q=0.5, en;q=0.1", "et"],
  ["en;q=many", "et"],
  ["et;q=0, *", "en"],
  ["*;q=0.5, et;q=0.1", "en"],
  ["de, et;q=0", "en"],
  ["et;q=0, en;q=0", "et"],
] as const)("accept-language %j means %s where et is the default", (header, language) => {
  expect(acceptedLanguage(header, "et")).toBe(language);
});

test("a header that names none of our languages leaves the default of the deployment", () => {
  expect(acceptedLanguage("de, *;q=0.1", "en")).toBe("en");
});
