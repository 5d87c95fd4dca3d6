import { describe, expect, it } from "vitest";
import type { LockedPair } from "../../../src/linkage/ports.ts";
import { isLinkedAlready, successionFaults } from "../../../src/linkage/rules/index.ts";
import { linkedPatient, lockedPatient } from "./kinds.ts";

const old = lockedPatient(1n, "estonian");
const successor = lockedPatient(9n, "estonian");

describe("an old personal code and its successor", () => {
  it("may be linked though both are Estonian", () => {
    expect(successionFaults({ source: old, target: successor })).toEqual([]);
  });

  it("are held to all else that holds for clients", () => {
    expect(meanings({ source: old, target: old })).toEqual(["LINK_TO_SELF"]);
    expect(meanings({ source: linkedPatient(1n, 5n, 5n), target: successor })).toEqual([
      "SECONDARY_ALREADY_LINKED",
    ]);
    expect(meanings({ source: old, target: lockedPatient(9n, "unknown") })).toEqual([
      "PRIMARY_PATIENT_UNKNOWN",
    ]);
  });

  it("are linked already when the old one is a secondary of the same group, and else never", () => {
    const secondary = linkedPatient(1n, 5n, 9n);
    expect(isLinkedAlready({ source: secondary, target: successor })).toBe(true);
    expect(isLinkedAlready({ source: secondary, target: linkedPatient(7n, 9n, 9n) })).toBe(true);
    const elsewhere = linkedPatient(1n, 5n, 5n);
    expect(isLinkedAlready({ source: elsewhere, target: successor })).toBe(false);
    expect(isLinkedAlready({ source: old, target: successor })).toBe(false);
    // The primary of the group in which the successor is: to link it below would close a circle.
    expect(isLinkedAlready({ source: old, target: linkedPatient(9n, 1n, 1n) })).toBe(false);
  });
});

function meanings(pair: LockedPair): string[] {
  return successionFaults(pair).map(({ meaning }) => meaning);
}
