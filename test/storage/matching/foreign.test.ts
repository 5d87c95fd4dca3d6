import { create } from "@bufbuild/protobuf";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { SearchParameterSchema } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { findForeignPatients } from "../../../src/matching/index.ts";
import { matchStore } from "../../../src/storage/index.ts";
import { PID, verifiedPatient } from "../../patients/examples.ts";
import { statementsOf } from "../linkage/statements.ts";
import { type CountedDatabase, countedDatabase } from "../rows-read.ts";
import { type MatchingUnderTest, openMatching } from "./matching-under-test.ts";

const COUNTRIES = ["fin", "lva", "est"] as const;
const LETTERS = "abc";

let opened: MatchingUnderTest;
/** Everybody who is in the index, by id. */
const everybody = new Map<string, Patient>();

/** Names of few letters, so that many are near each other, and some are a single letter. */
const name = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 12 });
const names = fc.array(name, { minLength: 1, maxLength: 3 });
/** Names of which each may be of two words. */
const compounds = fc.array(
  fc.array(name, { minLength: 1, maxLength: 2 }).map((words) => words.join("-")),
  { minLength: 1, maxLength: 3 },
);

beforeAll(async () => {
  opened = await openMatching();
  const people = fc.sample(
    fc.record({
      family: names.map((words) => words.slice(0, 2).join("-")),
      given: compounds,
      countries: fc.uniqueArray(fc.constantFrom(...COUNTRIES), { minLength: 1 }),
      gender: fc.constantFrom("male", "female", "other", "unknown", undefined),
      birthDate: fc.constantFrom("1990-01-01", "1990-01-02", "1990"),
    }),
    { numRuns: 250, seed: 20_261_121 },
  );
  const patients = people.map(({ family, given, countries, ...rest }, n) =>
    verifiedPatient({
      ...rest,
      identifier: countries.map((country) => ({ system: `${PID}/${country}/ni`, value: `${n}` })),
      name: [{ use: "official", family, given }],
      telecom: [],
    }),
  );
  expect(await opened.load(patients)).toBe(patients.length);
  const { candidates } = await opened.matches.next(0n, patients.length);
  for (const { id, patient } of candidates) everybody.set(String(id), patient);
});

afterAll(async () => {
  await opened.close();
});

interface Sought {
  readonly country: string;
  readonly given?: readonly string[];
  readonly family?: readonly string[];
  readonly gender?: string;
  readonly birthdate?: string;
  readonly telecom?: string;
}

const search = fc.record(
  {
    country: fc.constantFrom("fin", "lva", "est", "swe"),
    given: fc.oneof(
      names.map((words) => [words.join(" ")]),
      names,
      compounds,
    ),
    family: fc.oneof(
      names.map((words) => [words.slice(0, 2).join("-")]),
      names,
    ),
    gender: fc.constantFrom("male", "female", "other", "unknown"),
    birthdate: fc.constantFrom("1990-01-01", "1990-01-03"),
  },
  { requiredKeys: ["country"] },
);

it("finds exactly those whom going through everybody finds, up to two typing errors in a name", async () => {
  await fc.assert(
    fc.asyncProperty(search, async (sought) => {
      const found = await find(sought);
      const fitting = [...everybody].filter(([, patient]) => fits(patient, sought)).map(([id]) => id);
      expect(new Set(found)).toEqual(new Set(fitting));
    }),
    { numRuns: 150 },
  );
});

it("finds a Cyrillic name by its Latin spellings, of Estonia and of passports, and the other way round", async () => {
  const add = (family: string) =>
    opened.add(["che/ppn"], { name: [{ use: "official", family, given: ["Marina"] }], telecom: [] });
  const ids = new Map<string, string>();
  for (const family of ["Щербакова", "Štšerbakova", "Shcherbakova"]) ids.set(await add(family), family);
  const found = async (family: string) =>
    (await find({ country: "che", family: [family] })).map((id) => ids.get(id)).sort();
  expect(await found("Щербакова")).toEqual(["Shcherbakova", "Štšerbakova", "Щербакова"]);
  expect(await found("ŠTŠERBAKOVA")).toEqual(["Štšerbakova", "Щербакова"]);
  expect(await found("Shcherbakova")).toEqual(["Shcherbakova", "Щербакова"]);
});

it("finds each of several names, former ones included", async () => {
  const name = ["Mäkinen-Laine", "Virtanen-Koski", "Berg-Nieminen"].map((family) => ({
    use: "official",
    family,
    given: ["Eino Olavi", "Karl-Johan"],
  }));
  const id = await opened.add(["nor/ppn"], { name, telecom: [] });
  const found = (sought: Omit<Sought, "country">) => find({ country: "nor", ...sought });
  for (const family of ["Mäkinen-Laine", "Virtanen-Koski", "Berg-Nieminen", "Nieminen"]) {
    expect([family, await found({ family: [family] })]).toEqual([family, [id]]);
  }
  for (const given of ["Eino Olavi", "KARL-JOHAN", "Johan", "Eino Olavi Karl-Johan"]) {
    expect([given, await found({ given: [given] })]).toEqual([given, [id]]);
  }
  expect(await found({ given: ["Olavi Karl"] })).toEqual([]);
});

it("finds nobody by what a patient was before, though keys of that version came after the next one", async () => {
  const own = (system: string, value: string) => ({ system: `${PID}/${system}`, value });
  const before = verifiedPatient({
    identifier: [own("isl/ni", "1")],
    name: [{ use: "official", family: "Jonsdottir", given: ["Gudrun"] }],
    gender: "female",
    birthDate: "1981-02-03",
    telecom: [{ system: "phone", value: "+3545550001" }],
  });
  const id = BigInt(await opened.add(["isl/ni"], before));
  const first = await opened.read(String(id));
  const after = verifiedPatient({
    identifier: [own("dnk/ni", "1")],
    name: [{ use: "official", family: "Haraldsen", given: ["Sverre"] }],
    gender: "male",
    birthDate: "1982-02-03",
    telecom: [{ system: "phone", value: "+3545550002" }],
  });
  await opened.store.replace(first, { ...first, ...after, id: first.id }, new Date());
  // So does whoever fills keys in, having read the patient before that write; so does a process that makes others.
  await opened.matches.writeKeys([{ id, personId: id, patient: first }]);
  const now = { family: ["Haraldsen"], given: ["Sverre"], gender: "male", birthdate: "1982-02-03" };
  expect(await find({ country: "dnk", ...now, telecom: "+3545550002" })).toEqual([String(id)]);
  const gone: readonly Sought[] = [
    { country: "isl" },
    { country: "dnk", family: ["Jonsdottir"] },
    { country: "dnk", given: ["Gudrun"] },
    { country: "dnk", gender: "female" },
    { country: "dnk", birthdate: "1981-02-03" },
    { country: "dnk", telecom: "+3545550001" },
  ];
  for (const sought of gone) expect([sought, await find(sought)]).toEqual([sought, []]);
});

describe("reads no more keys in a country of many patients than in one of few", () => {
  const rare = { birthDate: "1991-01-01", family: "Zzzzzzzzz", telecom: "+4799999999" };
  let counted: CountedDatabase;

  beforeAll(async () => {
    counted = countedDatabase(opened.databaseUrl);
    const others = Array.from({ length: 80 }, (_, n) =>
      verifiedPatient({
        identifier: [{ system: `${PID}/ukr/ni`, value: `${n}` }],
        name: [{ use: "official", family: "Koval", given: ["Ivan"] }],
        gender: "male",
        birthDate: "1990-05-05",
        telecom: [],
      }),
    );
    expect(await opened.load(others)).toBe(others.length);
    for (const country of ["ukr", "pol"]) {
      await opened.add([`${country}/ni`], {
        birthDate: rare.birthDate,
        telecom: [{ system: "phone", value: rare.telecom }],
        name: [{ use: "official", family: rare.family, given: ["Jan"] }],
        gender: "male",
      });
    }
  });

  afterAll(async () => {
    await counted.database.$disconnect();
  });

  it.each<Omit<Sought, "country">>([
    { birthdate: rare.birthDate },
    { telecom: rare.telecom },
    { gender: "male", birthdate: rare.birthDate },
    { gender: "male", family: [rare.family] },
  ])("by %j", async (others) => {
    const matching = { ...opened.matching, store: matchStore(counted.database, opened.ring) };
    const rowsIn = async (country: string) => {
      const counts: number[] = [];
      // What other connections have read before is told at any time, and added: the least of some counts is without that.
      while (counts.length < 3) {
        counts.push(
          await counted.rowsRead("block_key", async () => {
            // PostgreSQL makes one plan for all parameters of a prepared statement when it was asked a few times.
            for (let n = 0; n < 4; n++) expect(await find({ country, ...others }, matching)).toHaveLength(1);
          }),
        );
      }
      return Math.min(...counts);
    };
    expect(await rowsIn("ukr")).toBeLessThanOrEqual((await rowsIn("pol")) + 8);
  });
});

it("asks as many statements whatever is sought", async () => {
  const names = ["aaaa", "bbbb", "cccc", "abcabcabc", "a"];
  const one = await statementsOf(() => find({ country: "fin", family: names.slice(0, 1) }));
  const many = await statementsOf(() =>
    find({ country: "fin", family: names, given: names, gender: "male" }),
  );
  expect(many).toBeLessThanOrEqual(one);
  expect(one).toBeLessThanOrEqual(5);
});

async function find({ country, ...others }: Sought, matching = opened.matching): Promise<string[]> {
  const parameters = Object.entries({ "identifier-country": country, ...others }).map(([name, value]) =>
    create(SearchParameterSchema, { name, value: [value].flat().join(",") }),
  );
  return (await findForeignPatients(matching, parameters)).patients.map(({ id = "" }) => id);
}

/** The same by its definition: no index, no cut, no bound. */
function fits(patient: Patient, { country, given, family, gender, birthdate }: Sought): boolean {
  const countries = patient.identifier.map(({ system = "" }) => system.split("/").at(-2));
  const [official] = patient.name;
  return (
    !patient.identifier.some(({ system }) => system === `${PID}/est/ni`) &&
    countries.includes(country) &&
    (gender === undefined || patient.gender === gender) &&
    (birthdate === undefined || patient.birthDate === birthdate) &&
    isNear(given, official?.given ?? []) &&
    isNear(family, [official?.family ?? ""])
  );
}

function isNear(sought: readonly string[] | undefined, names: readonly string[]): boolean {
  const plain = names.map((one) => one.replaceAll("-", " "));
  const forms = [plain.join(" "), ...plain, ...plain.flatMap((one) => one.split(" "))];
  return (
    !sought || sought.some((text) => forms.some((form) => distance(text.replaceAll("-", " "), form) <= 2))
  );
}

/** Damerau-Levenshtein by a whole table. */
function distance(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, i) =>
    Array.from({ length: other.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= one.length; i++) {
    for (let j = 1; j <= other.length; j++) {
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const row = table[i] as number[];
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1),
        isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(one.length, other.length);
}
