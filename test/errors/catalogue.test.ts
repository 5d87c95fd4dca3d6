import { describe, expect, test } from "vitest";
import { variantMeanings } from "../../src/errors/catalogue/catalogue.ts";
import {
  catalogueVersions,
  defaultErrorSystems,
  type ErrorSystem,
  languages,
} from "../../src/errors/index.ts";
import { placeholdersIn } from "../../src/errors/placeholders.ts";
import { everyMeaning, ownWordings } from "./catalogue-entries.ts";
import { specification } from "./specification.ts";

const systems = Object.keys(defaultErrorSystems) as ErrorSystem[];

/** Situations in which the element that is named has no value at all. */
const mayBeEmpty: readonly string[] = [
  "CONTACT_KIND_UNKNOWN",
  "IDENTIFIER_SYSTEM_PREFIX_WRONG",
  "JOB_TYPE_UNKNOWN",
  "LANGUAGE_CODE_SYSTEM_UNKNOWN",
  "LEGAL_CAPACITY_CODE_UNKNOWN",
  "NOT_ACCEPTABLE",
  "TELECOM_SYSTEM_UNKNOWN",
  "TELECOM_VALUE_INVALID",
  "VERSION_UNKNOWN",
];

describe.each(catalogueVersions)("the catalogue of version %s", (version) => {
  test.each(systems)("has every code of %s once, and no other", (system) => {
    const codes = ownWordings(version).filter((own) => own.system === system);
    expect(codes.map(({ code }) => code).sort()).toEqual(Object.keys(specification[version][system]).sort());
  });

  test.each(languages)("has exactly the stated placeholders in its texts (%s)", (language) => {
    const found = ownWordings(version).map(({ system, code, texts }) => [
      `${system} ${code}`,
      placeholdersIn(texts[language]).sort(),
    ]);
    const stated = systems.flatMap((system) =>
      Object.entries(specification[version][system]).map(([code, names]) => [
        `${system} ${code}`,
        [...names].sort(),
      ]),
    );
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(stated));
  });

  test("words every meaning in every language, as a sentence of its own", () => {
    const poor = ownWordings(version).filter(({ texts }) => {
      const worded = languages.map((language) => texts[language]);
      return new Set(worded).size < worded.length || worded.some((text) => !/[.:}]$/.test(text));
    });
    expect(poor).toEqual([]);
  });
});

test.each(languages)("keeps what only looks like a placeholder (%s)", (language) => {
  const texts = Object.fromEntries(ownWordings("1.5.0").map(({ code, texts }) => [code, texts[language]]));
  expect(texts["MPI-006"]).toContain("{system, value}");
  expect(texts["MPI-050"]).toContain("/Patient/$lookup");
  expect(texts["MPI-064"]).toContain("$legal-guardian");
  expect(texts["MPI-025.01"]).toContain("'urn:oid', 'https:'");
});

test.each(languages)("quotes what a request may have left empty (%s)", (language) => {
  const details = Object.entries(variantMeanings).flatMap(([meaning, { detail }]) =>
    detail ? [{ meaning, texts: detail }] : [],
  );
  const wordings = [...catalogueVersions.flatMap(ownWordings), ...details].filter(({ meaning }) =>
    mayBeEmpty.includes(meaning),
  );
  expect(new Set(wordings.map(({ meaning }) => meaning))).toEqual(new Set(mayBeEmpty));
  for (const { meaning, texts } of wordings) {
    const [name = ""] = placeholdersIn(texts[language]);
    expect(texts[language], meaning).toContain(`'\${${name}}'`);
  }
});

test("tells apart the codes that mean something else in the other version", () => {
  const meanings = catalogueVersions.map(
    (version) => new Map(ownWordings(version).map((own) => [own.code, own.meaning])),
  );
  const [current, old] = meanings;
  const differing = [...(current ?? [])].filter(
    ([code, meaning]) => old?.has(code) && old.get(code) !== meaning,
  );
  expect(differing.map(([code]) => code).sort()).toEqual(
    ["MPI-020", "MPI-035", "MPI-036", "MPI-037", "MPI-038", "MPI-044"].sort(),
  );
});

test("words the same meaning differently where the versions do", () => {
  const old = new Map(ownWordings("1.1.1").map(({ meaning, texts }) => [meaning, texts.en]));
  const reworded = ownWordings("1.5.0").filter(
    ({ meaning, texts }) => old.has(meaning) && old.get(meaning) !== texts.en,
  );
  expect(reworded.map(({ code }) => code).sort()).toEqual([
    "MPI-023",
    "MPI-025.01",
    "MPI-027",
    "MPI-028",
    "MPI-100",
  ]);
});

test("gives every situation's detail the same placeholders in every language", () => {
  const differing = Object.entries(variantMeanings).filter(([, { detail }]) => {
    if (detail === undefined) return false;
    return new Set(languages.map((language) => placeholdersIn(detail[language]).sort().join())).size > 1;
  });
  expect(differing).toEqual([]);
});

test("has each meaning in one place only", () => {
  expect(everyMeaning.length).toBe(new Set(everyMeaning).size);
});
