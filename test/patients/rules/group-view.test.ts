import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type Identifier, IdentifierSchema, PeriodSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { GroupMember, PlaceInGroup } from "../../../src/patients/ports.ts";
import { showsTheSame } from "../../../src/patients/rules/group-view.ts";
import { showPatient } from "../../../src/patients/show-patient.ts";
import { PID, verifiedPatient } from "../examples.ts";

const HOUR = 3_600_000;
const START = Date.parse("2026-01-15T10:00:00.000Z");

/** What the primary, patient 1, shows of identifiers: value and time of the end. */
function view(own: readonly string[], members: readonly GroupMember[]): string[] {
  const patient = { ...verifiedPatient({ identifier: own.map((type) => identifier(type, 1)) }), id: "1" };
  const shown = showPatient({ patient, group: { role: "primary", members } });
  return shown.identifier.map(({ value, period }) =>
    period?.end ? `${value} until ${period.end}` : `${value}`,
  );
}

/** A member, linked to another one so many hours after the start. */
function member(id: number, to: number, hour: number, ...types: string[]): GroupMember {
  return {
    id: BigInt(id),
    linkedTo: BigInt(to),
    linkedAt: new Date(START + hour * HOUR),
    identifiers: types.map((type) => identifier(type, id)),
  };
}

/** Such as `fin/ni of 2`; `fin/ni!2020` ended then. */
function identifier(given: string, holder: number): Identifier {
  const [type, end] = given.split("!");
  return create(IdentifierSchema, {
    system: `${PID}/${type}`,
    value: `${type} of ${holder}`,
    ...(end !== undefined && { period: { end } }),
  });
}

describe("the identifiers of a group", () => {
  it("stand in the order in which their holders came, the primary's own first", () => {
    const members = [member(2, 1, 5, "swe/ni"), member(3, 1, 1, "nor/ni"), member(4, 2, 9, "dnk/ni")];
    expect(view(["fin/ni"], members)).toEqual(["fin/ni of 1", "nor/ni of 3", "swe/ni of 2", "dnk/ni of 4"]);
  });

  it("end when they come beside one of the primary", () => {
    expect(view(["fin/ni"], [member(2, 1, 0, "fin/ni", "swe/ni")])).toEqual([
      "fin/ni of 1",
      "fin/ni of 2 until 2026-01-15T12:00:00.000+02:00",
      "swe/ni of 2",
    ]);
  });

  it("end when they come beside one of a member that came before", () => {
    const members = [member(3, 1, 2, "fin/ni"), member(2, 1, 1, "fin/ni")];
    expect(view([], members)).toEqual(["fin/ni of 2", "fin/ni of 3 until 2026-01-15T14:00:00.000+02:00"]);
  });

  it("end below the patient that their holder was linked to, whenever that one came itself", () => {
    const early = [member(3, 2, 1, "fin/ni"), member(2, 1, 4, "fin/ni")];
    expect(view([], early)).toEqual(["fin/ni of 2", "fin/ni of 3 until 2026-01-15T13:00:00.000+02:00"]);
    const late = [member(3, 2, 7, "fin/ni"), member(2, 1, 4)];
    expect(view(["fin/ni"], late)).toEqual([
      "fin/ni of 1",
      "fin/ni of 3 until 2026-01-15T19:00:00.000+02:00",
    ]);
  });

  it("keep an earlier end of their own, and lose a later one", () => {
    expect(view(["fin/ni"], [member(2, 1, 0, "fin/ni!2020-05-01")])[1]).toBe("fin/ni of 2 until 2020-05-01");
    expect(view(["fin/ni"], [member(2, 1, 0, "fin/ni!2030-05-01")])[1]).toBe(
      "fin/ni of 2 until 2026-01-15T12:00:00.000+02:00",
    );
  });

  it("do not begin later than they end", () => {
    const shownOf = (period: { start: string; end?: string }) => {
      const later = { ...identifier("fin/ni", 2), period: create(PeriodSchema, period) };
      const members = [{ ...member(2, 1, 0), identifiers: [later] }];
      const patient = verifiedPatient({ id: "1", identifier: [identifier("fin/ni", 1)] });
      return showPatient({ patient, group: { role: "primary", members } }).identifier[1]?.period;
    };
    const end = "2026-01-15T12:00:00.000+02:00";
    const starting = (start: string) => create(PeriodSchema, { start, end });
    expect(shownOf({ start: "2026-02-01" })).toEqual(create(PeriodSchema, { end }));
    expect(shownOf({ start: "2026-02-01", end: "2030-01-01" })).toEqual(create(PeriodSchema, { end }));
    expect(shownOf({ start: "2026-01-15" })).toEqual(starting("2026-01-15"));
    expect(shownOf({ start: "2026" })).toEqual(starting("2026"));
  });

  it("end for two of one system that one member holds no more than for one", () => {
    expect(view([], [member(2, 1, 0, "fin/ppn", "fin/ppn")])).toEqual(["fin/ppn of 2", "fin/ppn of 2"]);
  });

  it("are shown of a group in which each is linked to the one before, however many they are", () => {
    const DEPTH = 5000;
    const members = Array.from({ length: DEPTH }, (_, n) => member(n + 2, n + 1, 0, "fin/ni"));
    const shown = view(["fin/ni"], members);
    expect(shown).toHaveLength(DEPTH + 1);
    expect(shown.at(-1)).toBe(`fin/ni of ${DEPTH + 1} until 2026-01-15T12:00:00.000+02:00`);
  });
});

describe("the links of a group", () => {
  const patient = verifiedPatient({ id: "1", identifier: [identifier("fin/ni", 1)] });
  const linksOf = (group: PlaceInGroup) =>
    showPatient({ patient, group }).link.map(({ type, other }) => `${type} ${other?.reference}`);

  it("are of a primary to everybody below, by their ids", () => {
    const members = [member(10, 1, 1), member(3, 10, 2), member(2, 1, 3)];
    expect(linksOf({ role: "primary", members })).toEqual([
      "replaces Patient/2",
      "replaces Patient/3",
      "replaces Patient/10",
    ]);
  });

  it("are of a secondary to the primary alone, whose identifiers it does not show", () => {
    const group = { role: "secondary", primaryId: 9n } as const;
    expect(linksOf(group)).toEqual(["replaced-by Patient/9"]);
    expect(showPatient({ patient, group }).identifier).toEqual(patient.identifier);
  });
});

describe("two members that came at the same time", () => {
  it("are in the order of their ids, whichever is named first", () => {
    const members = [member(10, 1, 1, "fin/ni"), member(3, 1, 1, "fin/ni")];
    const shown = ["fin/ni of 3", "fin/ni of 10 until 2026-01-15T13:00:00.000+02:00"];
    expect(view([], members)).toEqual(shown);
    expect(view([], members.toReversed())).toEqual(shown);
  });
});

describe("a change of a member's identifiers", () => {
  const members = [member(2, 1, 0, "swe/ni", "fin/ni"), member(3, 1, 1, "nor/ni")];
  const patient = verifiedPatient({ id: "1", identifier: [identifier("fin/ni", 1)] });
  const isUnseen = (id: bigint, identifiers: readonly Identifier[], group: PlaceInGroup | undefined) =>
    showsTheSame({ patient, ...(group && { group }) }, id, identifiers);
  const primary: PlaceInGroup = { role: "primary", members };
  const [swedish, finnish] = [identifier("swe/ni", 2), identifier("fin/ni", 2)];

  it("is not seen by the primary where it shows the same as before", () => {
    expect(isUnseen(2n, [swedish, finnish], primary)).toBe(true);
    // What is overtaken ends at one time, whatever end is written behind it.
    expect(isUnseen(2n, [swedish, identifier("fin/ni!2030-05-01", 2)], primary)).toBe(true);
  });

  it("is seen where it shows more, fewer or other ones, in another order or with another end", () => {
    for (const changed of [
      [swedish],
      [],
      [swedish, finnish, identifier("dnk/ni", 2)],
      [finnish, swedish],
      [identifier("swe/ni!2030-05-01", 2), finnish],
      [identifier("swe/ni", 7), finnish],
    ]) {
      expect(isUnseen(2n, changed, primary)).toBe(false);
    }
  });

  it("may be seen wherever that cannot be told", () => {
    const unreadable = members.map((one) => (one.id === 3n ? { ...one, isUnreadable: true as const } : one));
    expect(isUnseen(2n, [swedish, finnish], { role: "primary", members: unreadable })).toBe(false);
    expect(isUnseen(2n, [swedish, finnish], { role: "secondary", primaryId: 9n })).toBe(false);
    expect(isUnseen(2n, [swedish, finnish], undefined)).toBe(false);
  });
});
