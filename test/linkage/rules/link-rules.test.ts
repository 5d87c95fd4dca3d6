import { describe, expect, it, test } from "vitest";
import { type CatalogueVersion, catalogueVersions } from "../../../src/errors/index.ts";
import type { LockedPair, LockedPatient } from "../../../src/linkage/ports.ts";
import { linkFaults } from "../../../src/linkage/rules/index.ts";
import { patientKind } from "../../../src/linkage/rules/patient-kind.ts";
import { PID } from "../../patients/examples.ts";
import { type Kind, linkedPatient, lockedPatient } from "./kinds.ts";

describe("the kind of a patient", () => {
  test.each<[Kind, string[]]>([
    ["estonian", ["est/ni"]],
    ["estonian", ["fin/ni", "est/ni", "est/mr"]],
    ["foreign", ["fin/ni"]],
    ["foreign", ["swe/ppn", "est/mr"]],
    ["foreign", ["est/ppn"]],
    ["unknown", ["est/mr"]],
    ["unknown", ["est/mrt"]],
    ["unknown", ["est/npi"]],
    ["unknown", ["est/prn/10000000"]],
    ["unknown", ["est/prn/10000000/ward/7", "est/mrt"]],
  ])("is %s with the identifiers %j", (kind, types) => {
    expect(patientKind(types.map((type) => `${PID}/${type}`))).toBe(kind);
  });
});

describe("a link", () => {
  const allowed: Readonly<Record<Kind, readonly Kind[]>> = {
    estonian: [],
    foreign: ["estonian", "foreign"],
    unknown: ["estonian", "foreign"],
  };
  const kinds = Object.keys(allowed) as Kind[];
  const cases = catalogueVersions.flatMap((version) =>
    kinds.flatMap((source) => kinds.map((target) => [version, source, target] as const)),
  );

  test.each(cases)("in %s of a source %s to a target %s", (version, source, target) => {
    const faults = meanings(lockedPatient(1n, source), lockedPatient(2n, target), version);
    const expected = [
      ...(source === "estonian" ? ["SECONDARY_PATIENT_ESTONIAN"] : []),
      ...(target === "unknown" ? ["PRIMARY_PATIENT_UNKNOWN"] : []),
    ];
    expect(faults).toEqual(expected);
    expect(faults.length === 0).toBe(allowed[source].includes(target));
  });

  it("is refused for a source that is linked, whoever the target is", () => {
    const source = linkedPatient(1n, 5n, 5n);
    for (const target of [
      lockedPatient(2n, "foreign"),
      linkedPatient(3n, 5n, 5n),
      lockedPatient(5n, "foreign"),
    ]) {
      expect(meanings(source, target)).toEqual(["SECONDARY_ALREADY_LINKED"]);
      expect(meanings(source, target, "1.1.1")).toEqual(["SOURCE_ALREADY_LINKED"]);
    }
  });

  it("closes no circle, and may grow below a secondary", () => {
    const root = lockedPatient(5n, "foreign");
    expect(meanings(root, linkedPatient(1n, 5n, 5n))).toEqual(["SECONDARY_ALREADY_LINKED"]);
    expect(meanings(lockedPatient(7n, "foreign"), linkedPatient(1n, 5n, 5n))).toEqual([]);
  });

  it("is never one with itself", () => {
    const patient = lockedPatient(1n, "foreign");
    for (const version of catalogueVersions)
      expect(meanings(patient, patient, version)).toEqual(["LINK_TO_SELF"]);
  });

  it("takes an inactive target in 1.5.0 and not in 1.1.1; a record that does not say is active", () => {
    const source = lockedPatient(1n, "foreign", { active: false });
    const inactive = lockedPatient(2n, "foreign", { active: false });
    expect(meanings(source, inactive)).toEqual([]);
    expect(meanings(source, inactive, "1.1.1")).toEqual(["TARGET_PATIENT_NOT_ACTIVE"]);
    const silent = lockedPatient(2n, "foreign", { active: undefined });
    expect(meanings(source, silent, "1.1.1")).toEqual([]);
  });

  it("is refused where the request names the one whose fault it is", () => {
    const places = { source: "the source", target: "the target" };
    const named = (source: LockedPatient, target: LockedPatient) =>
      linkFaults({ source, target }, "1.1.1", places).map(({ expression }) => expression);
    const one = lockedPatient(1n, "foreign");
    expect(named(one, one)).toEqual([["the source", "the target"]]);
    const source = linkedPatient(1n, 5n, 5n, { systems: [`${PID}/est/ni`] });
    const target = lockedPatient(2n, "unknown", { active: false });
    expect(named(source, target)).toEqual([["the source"], ["the source"], ["the target"], ["the target"]]);
  });

  it("is refused with all that forbids it", () => {
    const source = linkedPatient(1n, 5n, 5n, { systems: [`${PID}/est/ni`] });
    const target = lockedPatient(2n, "unknown", { active: false });
    expect(meanings(source, target, "1.1.1")).toEqual([
      "SECONDARY_PATIENT_ESTONIAN",
      "SOURCE_ALREADY_LINKED",
      "PRIMARY_PATIENT_UNKNOWN",
      "TARGET_PATIENT_NOT_ACTIVE",
    ]);
  });
});

function meanings(
  source: LockedPatient,
  target: LockedPatient,
  version: CatalogueVersion = "1.5.0",
): string[] {
  const pair: LockedPair = { source, target };
  return linkFaults(pair, version).map(({ meaning }) => meaning);
}
