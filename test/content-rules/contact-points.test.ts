import { create, type MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ContactPointSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { acceptContactPoints, collectFaults } from "../../src/content-rules/index.ts";
import { email, estonianNumber, foreignNumber } from "../patients/arbitrary-telecom.ts";
import { codes } from "./faults.ts";

type Point = MessageInitShape<typeof ContactPointSchema>;

function accept(...points: Point[]): { values: (string | undefined)[]; faults: string[] } {
  const { report, faults } = collectFaults();
  const given = points.map((point) => create(ContactPointSchema, point));
  const accepted = acceptContactPoints(given, "Patient.telecom", report);
  return { values: accepted.map(({ value }) => value), faults: codes(faults) };
}

const stored = (system: string, value: string) => accept({ system, value }).values[0];
const isAccepted = (system: string, value: string) => accept({ system, value }).faults.length === 0;
const spaced = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((spaces) =>
      Array.from(text, (character, at) => (spaces[at] ? `${character} ` : character)).join(""),
    );

describe("phone numbers", () => {
  it("of Estonia are stored with +372 however they are written", () => {
    fc.assert(
      fc.property(
        estonianNumber.chain((number) =>
          fc.tuple(
            fc.constant(number),
            fc.constantFrom("+372", "00372", "").chain((front) => spaced(front + number)),
          ),
        ),
        ([number, written]) => {
          expect(accept({ system: "phone", value: written })).toEqual({
            values: [`+372${number}`],
            faults: [],
          });
        },
      ),
    );
  });

  it("of other countries are stored without spaces", () => {
    fc.assert(
      fc.property(
        foreignNumber.chain((number) => fc.tuple(fc.constant(number), spaced(number))),
        ([number, written]) => {
          expect(accept({ system: "phone", value: written })).toEqual({ values: [number], faults: [] });
        },
      ),
    );
  });

  it("are stored in a form that is stored as it is", () => {
    fc.assert(
      fc.property(fc.oneof(estonianNumber, foreignNumber), (number) => {
        const once = stored("phone", number);
        expect(stored("phone", once ?? "")).toBe(once);
      }),
    );
  });

  it("are what the numbering plan says, for any digits after +372", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{1,9}$/), (national) => {
        expect(isAccepted("phone", `+372${national}`)).toBe(isInEstonianPlan(national));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["+3726123456", "+37261234567"],
    ["3212345", "3112345"],
    ["7112345", "7012345"],
    ["8812345", "8912345"],
    ["5123456", "512345"],
    ["51234567", "512345678"],
    ["+12", "+1"],
    ["+123456789012345", "+1234567890123456"],
    ["+4915112345678", "+0915112345678"],
    ["+4915112345678", "004915112345678"],
    ["+358 40 123", "+358-40-123"],
    ["+358 40 123", "+x+35840123"],
  ])("%s is one, %s is none (MPI-026)", (valid, invalid) => {
    expect(accept({ system: "phone", value: valid }).faults).toEqual([]);
    expect(accept({ system: "phone", value: invalid }).faults).toEqual(["MPI-026 Patient.telecom[0].value"]);
  });
});

describe("e-mail addresses", () => {
  it("of the form of the rules are stored as given", () => {
    fc.assert(
      fc.property(email, (address) => {
        expect(accept({ system: "email", value: address })).toEqual({ values: [address], faults: [] });
      }),
    );
  });

  it.each([
    ["a.b@example.ee", ".b@example.ee"],
    ["a.b@example.ee", "a.@example.ee"],
    ["a.b@example.ee", "a..b@example.ee"],
    ["a_b+c-d@example.ee", "a!b@example.ee"],
    [`${"a".repeat(64)}@example.ee`, `${"a".repeat(65)}@example.ee`],
    ["a@b.ee", "a@localhost"],
    ["a@b.ee", "a@b.e"],
    ["a@b1.ee", "a@b.e1"],
    ["a@b.ee", "a@b.ee>"],
    ["a@b.ee", "<a@b.ee"],
    ["a@b.c.ee", "a@b..ee"],
    ["a@b.ee", "a@b@c.ee"],
    ["a@b.ee", "@b.ee"],
    ["a@b.ee", "example.ee"],
    ["a@b.ee", "a b@c.ee"],
  ])("%s is one, %s is none (MPI-026)", (valid, invalid) => {
    expect(accept({ system: "email", value: valid }).faults).toEqual([]);
    expect(accept({ system: "email", value: invalid }).faults).toEqual(["MPI-026 Patient.telecom[0].value"]);
  });
});

describe("a contact point", () => {
  it("is a phone or an e-mail address (MPI-008)", () => {
    expect(accept({ system: "fax", value: "6123456" }, { value: "6123456" }).faults).toEqual([
      "MPI-008 Patient.telecom[0].system",
      "MPI-008 Patient.telecom[1].system",
    ]);
  });

  it("has one of five uses, or none (MPI-013)", () => {
    const uses = ["home", "work", "temp", "old", "mobile", undefined];
    expect(accept(...uses.map((use) => ({ system: "phone", value: "6123456", use }))).faults).toEqual([]);
    expect(accept({ system: "phone", value: "6123456", use: "billing" }).faults).toEqual([
      "MPI-013 Patient.telecom[0].use",
    ]);
  });

  it("does not end before it starts (MPI-096)", () => {
    const period = { start: "2020-05", end: "2020-04-30" };
    const valid = { start: "2020-04", end: "2020-04-30" };
    const phone = { system: "phone", value: "6123456" };
    expect(accept({ ...phone, period: valid }, { ...phone, period }).faults).toEqual([
      "MPI-096 Patient.telecom[1].period",
    ]);
  });

  it("needs a value (MPI-026)", () => {
    expect(accept({ system: "phone" }).faults).toEqual(["MPI-026 Patient.telecom[0].value"]);
  });

  it("shows all its faults at once", () => {
    expect(accept({ system: "pager", value: "1", use: "x" }, { system: "email", value: "x" }).faults).toEqual(
      [
        "MPI-013 Patient.telecom[0].use",
        "MPI-008 Patient.telecom[0].system",
        "MPI-026 Patient.telecom[1].value",
      ],
    );
  });
});

describe("who gives what is not allowed", () => {
  it("is told what is, and what was given", () => {
    const { report, faults } = collectFaults();
    const points = [
      { system: "fax", use: "billing" },
      {},
      { system: "phone", value: "1" },
      { system: "email" },
    ];
    acceptContactPoints(
      points.map((point) => create(ContactPointSchema, point)),
      "Patient.telecom",
      report,
    );
    expect(faults.map(({ parameters }) => parameters)).toEqual([
      { use: "billing", allowed: "home, work, temp, old, mobile" },
      { system: "fax", allowed: "phone, email" },
      { system: "", allowed: "phone, email" },
      { value: "1" },
      { value: "" },
    ]);
  });
});

/** The plan of spec rules.md, "Telecom", by counting digits. */
function isInEstonianPlan(national: string): boolean {
  const area = Number(national.slice(0, 2));
  if (national.startsWith("5")) return national.length === 7 || national.length === 8;
  const isArea =
    [32, 33, 35, 38, 39, 88].includes(area) || (area >= 60 && area <= 69) || (area >= 71 && area <= 79);
  return isArea && national.length === 7;
}
