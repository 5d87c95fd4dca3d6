import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { IdentifierSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { RelatedPerson } from "#proto/patientindex/v1/related_person_pb.ts";
import { acceptRelatedPerson, type ContactCircle } from "../../../src/related-persons/rules/index.ts";
import { codes, setting } from "../../content-rules/faults.ts";
import { PERSONAL_CODE, PID, PROFILE_BASE } from "../../patients/examples.ts";
import {
  CONTACT,
  contactPerson,
  type RelatedPersonInit,
  ROLE_CLASS,
  SNOMED_CT,
  SPOUSE,
} from "../examples.ts";

const alone: ContactCircle = { groupIdentifiers: [], others: [], limit: 3 };
const faultsOf = (given: RelatedPerson, circle: Partial<ContactCircle> = {}) =>
  codes(acceptRelatedPerson(given, { ...alone, ...circle }, setting).faults);
const withChanges = (changes: RelatedPersonInit) => faultsOf(contactPerson(changes));
const numbered = (value: string, changes: RelatedPersonInit = {}) =>
  contactPerson({ identifier: [{ system: `${PID}/fin/ppn`, value }], ...changes });

describe("a contact person", () => {
  it("that is valid is stored as given", () => {
    expect(acceptRelatedPerson(contactPerson(), alone, setting)).toEqual({
      relatedPerson: contactPerson(),
      faults: [],
    });
  });

  it("claims its profile (MPI-024, MPI-023)", () => {
    expect(withChanges({ meta: undefined })).toEqual(["MPI-024 RelatedPerson.meta.profile"]);
    expect(withChanges({ meta: { profile: [`${PROFILE_BASE}ee-mpi-patient-verified`] } })).toEqual([
      "MPI-023 RelatedPerson.meta.profile[0]",
    ]);
  });

  it.each<[string, RelatedPersonInit]>([
    ["active", { active: undefined }],
    ["patient", { patient: undefined }],
    ["patient", { patient: { display: "Aino" } }],
    ["relationship", { relationship: [] }],
    ["period", { period: undefined }],
  ])("has the element %s", (element, changes) => {
    expect(withChanges(changes)).toEqual([`MPI-096 RelatedPerson.${element}`]);
  });

  it.each<[string, RelatedPersonInit]>([
    ["address", { address: [{ use: "home", country: "FI" }] }],
    ["photo", { photo: [{ url: "http://example.org/photo" }] }],
    ["communication", { communication: [{ language: { text: "suomi" } }] }],
  ])("has no element %s", (element, changes) => {
    expect(withChanges(changes)).toEqual([`MPI-096 RelatedPerson.${element}`]);
  });

  it("keeps an identifier with a sign that nobody sees, as an earlier build stored it, and gets none", () => {
    const stored = numbered("XP\u200B1");
    expect(faultsOf(stored)).toEqual(["MPI-096 RelatedPerson.identifier[0].value"]);
    expect(faultsOf(stored, { current: stored })).toEqual([]);
  });

  it("may name the patient by identifier", () => {
    expect(withChanges({ patient: { identifier: { system: `${PID}/fin/ni`, value: "1" } } })).toEqual([]);
  });

  it("is held to the rules of telecom, sex, names, languages and periods", () => {
    expect(
      withChanges({
        telecom: [{ system: "fax", value: "1", use: "billing" }],
        gender: "m",
        name: [{ use: "legal" }],
        language: "e",
        period: { start: "2026", end: "2025" },
      }),
    ).toEqual([
      "MPI-096 RelatedPerson.language",
      "MPI-013 RelatedPerson.telecom[0].use",
      "MPI-008 RelatedPerson.telecom[0].system",
      "MPI-094 RelatedPerson.gender",
      "MPI-096 RelatedPerson.period",
      "MPI-096 RelatedPerson.name[0].use",
    ]);
  });

  it("was not born in the future", () => {
    expect(withChanges({ birthDate: "2099-01-01" })).toEqual(["MPI-096 RelatedPerson.birthDate"]);
  });

  it("has its phone and identifiers in their stored form, and nothing that is not processed", () => {
    const { relatedPerson, faults } = acceptRelatedPerson(
      contactPerson({
        id: "70001",
        telecom: [{ system: "phone", value: "512 3456" }],
        identifier: [{ system: `${PID}/fin/ppn`, value: " X1" }],
        text: { status: "empty" },
        contained: [{ resource: { case: "organization", value: { id: "a" } } }],
      }),
      alone,
      setting,
    );
    expect(faults).toEqual([]);
    expect(relatedPerson).toEqual(
      contactPerson({
        telecom: [{ system: "phone", value: "+3725123456" }],
        identifier: [{ system: `${PID}/fin/ppn`, value: "X1" }],
      }),
    );
  });
});

describe("the identifiers of a contact person", () => {
  it("are of known systems (MPI-025.01, MPI-025, MPI-056), each once", () => {
    const identifier = [
      { system: "fin", value: "1" },
      { system: `${PID}/usa/ni`, value: "1" },
      { system: setting.indexSystem, value: "1" },
      { system: `${PID}/fin/ppn`, value: "1" },
      { system: `${PID}/fin/ppn`, value: "1" },
    ];
    expect(withChanges({ identifier })).toEqual([
      "MPI-025.01 RelatedPerson.identifier[0].system",
      "MPI-025 RelatedPerson.identifier[1].system",
      "MPI-056 RelatedPerson.identifier[2].system",
      "MPI-096 RelatedPerson.identifier[4]",
    ]);
  });

  it("may be missing; an Estonian personal code is taken as it is, documents need no national code", () => {
    expect(withChanges({ identifier: [] })).toEqual([]);
    expect(withChanges({ identifier: [{ system: `${PID}/est/ni`, value: PERSONAL_CODE }] })).toEqual([]);
    expect(withChanges({ identifier: [{ system: `${PID}/est/ni`, value: "1" }] })).toEqual([]);
    expect(withChanges({ identifier: [{ system: `${PID}/lva/ppn`, value: "1" }] })).toEqual([]);
  });

  it("are not those of the patient", () => {
    const groupIdentifiers = [
      create(IdentifierSchema, { system: `${PID}/fin/ni`, value: "020291-456B" }),
      create(IdentifierSchema, { system: `${PID}/fin/ppn`, value: "XP1" }),
    ];
    expect(faultsOf(contactPerson(), { groupIdentifiers })).toEqual(["MPI-096 RelatedPerson.identifier[0]"]);
    expect(faultsOf(numbered("XP2"), { groupIdentifiers })).toEqual([]);
  });
});

describe("the relationship", () => {
  it("is of kind CON where it has a kind (MPI-018)", () => {
    const guardian = { coding: [{ system: ROLE_CLASS, code: "GUARD" }] };
    expect(withChanges({ relationship: [SPOUSE, guardian] })).toEqual([
      "MPI-018 RelatedPerson.relationship[1].coding[0].code",
    ]);
    expect(withChanges({ relationship: [SPOUSE] })).toEqual([]);
    expect(withChanges({ relationship: [CONTACT] })).toEqual([]);
  });

  it("has one personal relation at the most", () => {
    const brother = { system: SNOMED_CT, code: "70924004" };
    expect(withChanges({ relationship: [CONTACT, { coding: [...SPOUSE.coding, brother] }] })).toEqual([
      "MPI-096 RelatedPerson.relationship[1].coding[1]",
    ]);
  });
});

describe("the same contact person twice", () => {
  it("is the same identifier in the same relation (MPI-041)", () => {
    const others = [contactPerson()];
    const refused = ["MPI-041 RelatedPerson.identifier[0]"];
    expect(faultsOf(contactPerson({ name: [] }), { others })).toEqual(refused);
    expect(faultsOf(contactPerson({ relationship: [SPOUSE, CONTACT] }), { others })).toEqual(refused);
    expect(faultsOf(contactPerson({ relationship: [CONTACT] }), { others })).toEqual([]);
    expect(faultsOf(numbered("XP1"), { others })).toEqual([]);
    expect(
      faultsOf(contactPerson({ identifier: [] }), { others: [contactPerson({ identifier: [] })] }),
    ).toEqual([]);
  });

  it("stays refused when the first one has ended", () => {
    const others = [contactPerson({ period: { end: "2020" } })];
    expect(faultsOf(contactPerson(), { others })).toEqual(["MPI-041 RelatedPerson.identifier[0]"]);
  });
});

describe("the number of valid contacts", () => {
  const others = [numbered("1"), numbered("2"), numbered("3")];

  it("has a limit (MPI-042)", () => {
    const given = acceptRelatedPerson(contactPerson(), { ...alone, others }, setting);
    expect(codes(given.faults)).toEqual(["MPI-042 RelatedPerson"]);
    expect(given.faults[0]?.parameters).toEqual({ max: "3" });
    expect(faultsOf(contactPerson(), { others: others.slice(1) })).toEqual([]);
    expect(faultsOf(contactPerson(), { others, limit: 4 })).toEqual([]);
  });

  it.each<[string, RelatedPersonInit]>([
    ["is not active", { active: false }],
    ["has ended", { period: { start: "2020", end: "2026-04-30" } }],
    ["is of no kind, only a relative", { relationship: [SPOUSE] }],
  ])("does not count one that %s", (_, changes) => {
    expect(faultsOf(contactPerson(), { others: [...others.slice(1), numbered("4", changes)] })).toEqual([]);
    expect(faultsOf(contactPerson(changes), { others })).toEqual([]);
  });

  it("leaves a change of one that counts already alone, also where the limit was lowered since", () => {
    const current = numbered("4");
    expect(faultsOf(numbered("4", { gender: "other" }), { current, others })).toEqual([]);
    const ended = numbered("4", { period: { start: "2020", end: "2026-04-30" } });
    expect(faultsOf(numbered("4"), { current: ended, others })).toEqual(["MPI-042 RelatedPerson"]);
  });

  it("counts one that ends today or later", () => {
    const ending = numbered("4", { period: { end: "2026-05-01" } });
    expect(faultsOf(contactPerson(), { others: [...others.slice(1), ending] })).toEqual([
      "MPI-042 RelatedPerson",
    ]);
  });
});
