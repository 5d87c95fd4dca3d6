import { describe, expect, it } from "vitest";
import { type CatalogueVersion, catalogueVersions } from "../../../src/errors/index.ts";
import type { LockedPair, LockedPatient } from "../../../src/linkage/ports.ts";
import { unlinkDecision } from "../../../src/linkage/rules/index.ts";
import { PID } from "../../patients/examples.ts";
import { linkedPatient, lockedPatient } from "./kinds.ts";

const root = lockedPatient(9n, "foreign");
const direct = linkedPatient(1n, 9n, 9n, { active: false });
const below = linkedPatient(2n, 1n, 9n, { active: false });

describe("an unlinking", () => {
  it("releases the lower of a pair that was linked directly, in either order and version", () => {
    for (const version of catalogueVersions) {
      expect(released(direct, root, version)).toBe(1n);
      expect(released(root, direct, version)).toBe(1n);
      expect(released(below, direct, version)).toBe(2n);
    }
  });

  it("releases any secondary from the primary that shows it, in 1.5.0 alone", () => {
    expect(released(root, below)).toBe(2n);
    expect(released(below, root)).toBe(2n);
    expect(released(root, below, "1.1.1")).toBe("PATIENTS_NOT_LINKED_DIRECTLY");
  });

  it("is refused for all others: two secondaries, two groups, a patient and itself", () => {
    const sibling = linkedPatient(3n, 9n, 9n);
    const elsewhere = linkedPatient(4n, 8n, 8n);
    for (const [one, other] of [
      [direct, sibling],
      [below, sibling],
      [direct, elsewhere],
      [root, root],
      [direct, direct],
      [root, lockedPatient(7n, "foreign")],
    ] as const) {
      expect(released(one, other)).toBe("PATIENTS_NOT_LINKED");
      expect(released(one, other, "1.1.1")).toBe("PATIENTS_NOT_LINKED_DIRECTLY");
    }
  });

  it("is refused for an Estonian pair, which the population register has linked", () => {
    const successor = lockedPatient(9n, "estonian");
    const old = linkedPatient(1n, 9n, 9n, { systems: [`${PID}/est/ni`], active: false });
    expect(released(old, successor)).toBe("PATIENTS_NOT_LINKED");
    expect(released(old, successor, "1.1.1")).toBe("PATIENTS_NOT_LINKED_DIRECTLY");
    expect(released(direct, successor)).toBe(1n);
  });
});

describe("the released patient", () => {
  it("becomes active in 1.5.0 when the link had made it inactive, and only then", () => {
    expect(unlinkDecision({ source: direct, target: root }, "1.5.0")).toMatchObject({ activate: false });
    const deactivated = { primaryId: 9n, deactivated: true };
    const made = linkedPatient(1n, 9n, 9n, { active: false, link: deactivated });
    expect(unlinkDecision({ source: made, target: root }, "1.5.0")).toMatchObject({ activate: true });
    const since = linkedPatient(1n, 9n, 9n, { active: true, link: deactivated });
    expect(unlinkDecision({ source: since, target: root }, "1.5.0")).toMatchObject({ activate: false });
  });

  it("always becomes active in 1.1.1, which refuses to release one that is", () => {
    expect(unlinkDecision({ source: direct, target: root }, "1.1.1")).toMatchObject({ activate: true });
    for (const active of [true, undefined]) {
      const awake = linkedPatient(1n, 9n, 9n, { active });
      expect(released(awake, root, "1.1.1")).toBe("TARGET_PATIENT_ALREADY_ACTIVE");
    }
  });

  it("is the one whom a refusal of 1.1.1 names, as source and as target", () => {
    const awake = linkedPatient(1n, 9n, 9n);
    const places = { source: "the source", target: "the target" };
    const named = (pair: LockedPair) => unlinkDecision(pair, "1.1.1", places);
    expect(named({ source: awake, target: root })).toMatchObject({ expression: ["the source"] });
    expect(named({ source: root, target: awake })).toMatchObject({ expression: ["the target"] });
  });
});

function released(
  source: LockedPatient,
  target: LockedPatient,
  version: CatalogueVersion = "1.5.0",
): bigint | string {
  const decision = unlinkDecision({ source, target }, version);
  return "meaning" in decision ? decision.meaning : decision.released;
}
