import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ListCustodiesResponseSchema } from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { custodiesInForce } from "../../src/social-history/custody.ts";
import { dayOfBirth } from "../../src/social-history/day-of-birth.ts";

const TODAY = "2026-11-22";
const CHILD = "2013-07-24";
const ADULT = "1983-11-26";

/** Custody without an end, as the register has it, of the patient by a parent and of others by the patient. */
function open(...dependants: { birthDate: string; personalCode?: string }[]) {
  return create(ListCustodiesResponseSchema, {
    holders: [{ type: "H11", period: { start: "1983-11-26" }, person: { personalCode: "46001010001" } }],
    dependants: dependants.map((person) => ({ type: "H11", period: { start: "2013-07-24" }, person })),
  });
}

describe("custody whose period has no end", () => {
  it("holds of a minor", () => {
    expect(custodiesInForce(open(), { birthDate: CHILD }, TODAY).holders).toHaveLength(1);
  });

  it("has ended with the patient's full age", () => {
    expect(custodiesInForce(open(), { birthDate: ADULT }, TODAY).holders).toEqual([]);
    expect(custodiesInForce(open(), { birthDate: "2008-11-22" }, TODAY).holders).toEqual([]);
    expect(custodiesInForce(open(), { birthDate: "2008-11-23" }, TODAY).holders).toHaveLength(1);
  });

  it("has ended with the full age of those in the patient's custody", () => {
    const { dependants } = custodiesInForce(
      open({ birthDate: CHILD }, { birthDate: ADULT }),
      { birthDate: ADULT },
      TODAY,
    );
    expect(dependants.map(({ person }) => person?.birthDate)).toEqual([CHILD]);
  });

  it("holds of a child whose day of birth only the personal code says", () => {
    const child = { birthDate: "", personalCode: "51307240308" };
    expect(custodiesInForce(open(child), { birthDate: ADULT }, TODAY).dependants).toHaveLength(1);
  });
});

describe("the day of birth by which age is reckoned", () => {
  it.each([
    ["as it is known, whatever the code says", "2012-01-01", "51307240308", "2012-01-01"],
    ["that of the code, when none is known", undefined, "51307240308", CHILD],
    ["that of the code, when the register gave none", "", "51307240308", CHILD],
    ["that of the code, when only the year is known", "2013", "51307240308", CHILD],
    ["that of the code, when the date is none", "2012-01-01T00:00:00", "51307240308", CHILD],
    ["not known, when there is no code either", "2013", "", undefined],
  ])("is %s", (_what, birthDate, personalCode, expected) => {
    expect(dayOfBirth(birthDate, personalCode)).toBe(expected);
  });
});
