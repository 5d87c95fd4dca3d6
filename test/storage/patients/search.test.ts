import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unknownValue } from "../../../src/content-rules/index.ts";
import type { PatientCriteria, SearchPage } from "../../../src/patients/ports.ts";
import type { Prefix } from "../../../src/search/index.ts";
import { type PatientInit, PID, verifiedPatient } from "../../patients/examples.ts";
import { openStore, type StoreUnderTest } from "./store.ts";

const START = new Date("2026-01-01T00:00:00.000Z");

/** What is searched, in the order of creation; a name stands for the patient. */
const PEOPLE: Readonly<Record<string, PatientInit>> = {
  aino: { birthDate: "1950-05-05", active: true },
  berta: { birthDate: "1960-06", active: false },
  carl: { birthDate: "1970", deceased: { case: "deceasedDateTime", value: "2020-02-02" } },
  // Does not say whether she is active.
  dora: { birthDate: "1980-08-08", active: undefined, deceased: { case: "deceasedBoolean", value: true } },
  emil: {
    birthDate: "1990-09-09",
    deceased: { case: "deceasedDateTime", value: "2019-01-01T10:00:00+02:00" },
  },
};

let opened: StoreUnderTest;
const names = new Map<string, string>();

beforeAll(async () => {
  opened = await openStore();
  for (const [place, [name, init]] of Object.entries(PEOPLE).entries()) {
    const identifier = [{ system: `${PID}/fin/ni`, value: name }];
    const { id = "" } = await opened.store.create(
      verifiedPatient({ ...init, identifier }),
      new Date(START.getTime() + place * 60_000),
    );
    names.set(id, name);
  }
});

afterAll(async () => {
  await opened.close();
});

describe("a search", () => {
  it("finds by birth date as FHIR compares spans of days", async () => {
    expect(await bornBy("eq", "1950-05-05")).toEqual(["aino"]);
    expect(await bornBy("ne", "1950-05-05")).toEqual(["berta", "carl", "dora", "emil"]);
    expect(await bornBy("gt", "1970-06-30")).toEqual(["carl", "dora", "emil"]);
    expect(await bornBy("sa", "1970-06-30")).toEqual(["dora", "emil"]);
    expect(await bornBy("lt", "1960-06-15")).toEqual(["aino", "berta"]);
    expect(await bornBy("eb", "1960-06-15")).toEqual(["aino"]);
    expect(await bornBy("ge", "1990-09-09")).toEqual(["emil"]);
    expect(await bornBy("le", "1950-05-05")).toEqual(["aino"]);
  });

  it("finds whose birth date is a year at the very ends of it, too", async () => {
    const carl = { from: "1970-01-01", to: "1970-12-31" };
    const days = ["1969-12-31", "1970-01-01", "1970-01-02", "1970-12-30", "1970-12-31", "1971-01-01"];
    const spans = [...days.map((day) => ({ from: day, to: day })), carl];
    for (const span of spans) {
      for (const prefix of ["eq", "gt", "ge", "sa", "lt", "le", "eb"] as const) {
        const isFound = (await found({ birthDate: [{ prefix, span }] })).includes("carl");
        expect({ prefix, span, isFound }).toEqual({ prefix, span, isFound: fits(prefix, carl, span) });
      }
    }
  });

  it("finds by activity, by death and by the time of the last write, all at once", async () => {
    expect(await found({ active: false })).toEqual(["berta"]);
    expect(await found({ active: true })).toEqual(["aino", "carl", "emil"]);
    expect(await found({ deceased: true })).toEqual(["carl", "dora", "emil"]);
    const since = { prefix: "ge" as const, span: { from: minute(3), to: minute(3) } };
    expect(await found({ deceased: true, lastUpdated: [since] })).toEqual(["dora", "emil"]);
  });

  it("finds holders of identifiers among ids", async () => {
    const [first = "", second = ""] = names.keys();
    const token = { value: "aino", country: "fin", type: "ni" };
    expect(await found({ identifiers: [[token]] })).toEqual(["aino"]);
    expect(await found({ identifiers: [[token]], ids: [BigInt(second)] })).toEqual([]);
    expect(await found({ identifiers: [[token, { value: "emil" }]] })).toEqual(["aino", "emil"]);
    expect(await found({ identifiers: [[token], [{ value: "emil" }]] })).toEqual([]);
    expect(await found({ ids: [BigInt(first), 987_654n] })).toEqual(["aino"]);
  });

  it("sorts by each key both ways, those without a value last", async () => {
    const all: PatientCriteria = { ids: [...names.keys()].map(BigInt) };
    expect(await found(all, [{ key: "birthdate", descending: true }])).toEqual(
      Object.keys(PEOPLE).toReversed(),
    );
    expect(await found(all, [{ key: "death-date", descending: false }])).toEqual([
      "emil",
      "carl",
      "aino",
      "berta",
      "dora",
    ]);
    expect(await found(all, [{ key: "_lastUpdated", descending: true }])).toEqual(
      Object.keys(PEOPLE).toReversed(),
    );
  });

  it("pages, and says when there are more matches than allowed", async () => {
    const sort: SearchPage["sort"] = [{ key: "birthdate", descending: false }];
    const criteria: PatientCriteria = { ids: [...names.keys()].map(BigInt) };
    const second = await opened.store.search(criteria, { sort, page: 2, size: 2, maximum: 5 });
    expect(second).toMatchObject({ total: 5 });
    expect(second !== "too-many" && second.patients.map(({ patient: { id = "" } }) => names.get(id))).toEqual(
      ["carl", "dora"],
    );
    expect(await opened.store.search(criteria, { sort, page: 1, size: 2, maximum: 4 })).toBe("too-many");
  });

  it("finds who has died at a time that nobody knows, and not of whom nobody knows whether", async () => {
    const identifier = (value: string) => [{ system: `${PID}/fin/ni`, value }];
    const stored = (init: PatientInit) => opened.store.create(verifiedPatient(init), START);
    const died = await stored({ identifier: identifier("fiona"), deceasedDateTimeElement: unknownValue() });
    const maybe = await stored({ identifier: identifier("gert"), deceasedBooleanElement: unknownValue() });
    const ids = [died, maybe].map(({ id = "" }) => BigInt(id));
    const foundOf = async (deceased: boolean) => {
      const page = { sort: [], page: 1, size: 100, maximum: 100 };
      const result = await opened.store.search({ ids, deceased }, page);
      return result === "too-many" ? [] : result.patients.map(({ patient: { id } }) => id);
    };
    expect(await foundOf(true)).toEqual([died.id]);
    expect(await foundOf(false)).toEqual([maybe.id]);
  });
});

interface Span {
  readonly from: string;
  readonly to: string;
}

/** What FHIR says of the span of a value and that of a parameter (R5 search, 3.2.1.5.6). */
function fits(prefix: Exclude<Prefix, "ne">, value: Span, parameter: Span): boolean {
  const isWithin = value.from >= parameter.from && value.to <= parameter.to;
  return {
    eq: isWithin,
    gt: value.to > parameter.to,
    ge: value.to > parameter.to || isWithin,
    sa: value.from > parameter.to,
    lt: value.from < parameter.from,
    le: value.from < parameter.from || isWithin,
    eb: value.to < parameter.from,
  }[prefix];
}

async function bornBy(prefix: Prefix, day: string): Promise<(string | undefined)[]> {
  return await found({ birthDate: [{ prefix, span: { from: day, to: day } }] });
}

async function found(
  criteria: PatientCriteria,
  sort: SearchPage["sort"] = [{ key: "_lastUpdated", descending: false }],
): Promise<(string | undefined)[]> {
  const result = await opened.store.search(criteria, { sort, page: 1, size: 100, maximum: 100 });
  return result === "too-many" ? [] : result.patients.map(({ patient: { id = "" } }) => names.get(id));
}

function minute(place: number): Date {
  return new Date(START.getTime() + place * 60_000);
}
