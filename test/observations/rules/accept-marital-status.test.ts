import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { IdentifierSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import {
  acceptMaritalStatus,
  patientsInFocus,
  type Relations,
} from "../../../src/observations/rules/index.ts";
import { codes } from "../../content-rules/faults.ts";
import { PID, PROFILE_BASE } from "../../patients/examples.ts";
import { contactPerson } from "../../related-persons/examples.ts";
import { MARITAL_STATUS_SYSTEM, maritalStatus, type ObservationInit } from "../examples.ts";

const faultsOf = (changes: ObservationInit, relations: Relations = { relatedPersons: [] }) =>
  codes(acceptMaritalStatus(maritalStatus(changes), relations).faults);
const concept = (system: string, ...coded: (string | undefined)[]) => ({
  coding: coded.map((code) => ({ system, ...(code === undefined ? {} : { code }) })),
});
const valued = (...coded: (string | undefined)[]): ObservationInit => ({
  value: { case: "valueCodeableConcept", value: concept(MARITAL_STATUS_SYSTEM, ...coded) },
});
const SNOMED_CT = "http://snomed.info/sct";

describe("a marital status", () => {
  it("that is valid is stored as given", () => {
    expect(acceptMaritalStatus(maritalStatus(), { relatedPersons: [] })).toEqual({
      observation: maritalStatus(),
      faults: [],
    });
  });

  it("claims its profile (MPI-024, MPI-023)", () => {
    expect(faultsOf({ meta: undefined })).toEqual(["MPI-024 Observation.meta.profile"]);
    expect(faultsOf({ meta: { profile: [`${PROFILE_BASE}ee-mpi-socialhistory-disability`] } })).toEqual([
      "MPI-023 Observation.meta.profile[0]",
    ]);
  });

  it.each<[string, ObservationInit]>([
    ["status", { status: "amended" }],
    ["status", { status: undefined }],
    ["category", { category: [] }],
    [
      "category",
      { category: [concept("http://terminology.hl7.org/CodeSystem/observation-category", "vital-signs")] },
    ],
    ["code", { code: undefined }],
    ["code", { code: concept(SNOMED_CT, "8625004") }],
    ["code", { code: concept(SNOMED_CT, "125680007", "8625004") }],
    ["code", { code: concept("http://loinc.org", "125680007") }],
    ["subject", { subject: undefined }],
    ["issued", { issued: undefined }],
    ["value", { value: { case: undefined } }],
    ["value", { value: { case: "valueString", value: "M" } }],
    ["value", valued("X")],
    ["value", valued("M", "X")],
    ["value", valued("M", "D")],
    ["value", valued(undefined)],
    ["value", { value: { case: "valueCodeableConcept", value: { text: "married" } } }],
  ])("is refused for its %s", (element, changes) => {
    expect(faultsOf(changes)).toEqual([`MPI-096 Observation.${element}`]);
  });

  it.each<[string, ObservationInit]>([
    ["performer", { performer: [{ reference: "RelatedPerson/70001" }] }],
    ["component", { component: [{ code: { text: "a" } }] }],
    ["dataAbsentReason", { dataAbsentReason: { text: "unknown" } }],
  ])("has no element %s", (element, changes) => {
    expect(faultsOf(changes)).toEqual([`MPI-096 Observation.${element}`]);
  });

  it.each(["A", "C", "D", "I", "L", "M", "P", "S", "T", "U", "W"])("may be %s", (code) => {
    expect(faultsOf(valued(code))).toEqual([]);
  });

  it("may have translations of its code", () => {
    const code = {
      coding: [...concept(SNOMED_CT, "125680007").coding, { system: "http://loinc.org", code: "45404-1" }],
    };
    expect(faultsOf({ code })).toEqual([]);
  });

  it("keeps of what is contained the related persons only, and nothing that is not processed", () => {
    const spouse = { id: "spouse", identifier: [{ system: `${PID}/fin/ni`, value: "020291-456B" }] };
    const { observation } = acceptMaritalStatus(
      maritalStatus({
        id: "70001",
        text: { status: "empty" },
        contained: [
          { resource: { case: "otherJson", value: '{"resourceType":"Basic"}' } },
          { resource: { case: "relatedPerson", value: spouse } },
        ],
      }),
      { relatedPersons: [] },
    );
    expect(observation).toEqual(
      maritalStatus({ contained: [{ resource: { case: "relatedPerson", value: spouse } }] }),
    );
  });
});

describe("the period of a marital status", () => {
  it("does not end before it starts (MPI-096)", () => {
    const during = (start: string, end: string): ObservationInit => ({
      effective: { case: "effectivePeriod", value: { start, end } },
    });
    expect(faultsOf(during("2015-06-22", "2020-01-01"))).toEqual([]);
    expect(faultsOf(during("2015-06-22", "2015-06-21"))).toEqual(["MPI-096 Observation.effective"]);
  });
});

describe("a contained person", () => {
  const identifier = [{ system: `${PID}/fin/ni`, value: "020291-456B" }];
  const relation = { relatedPersons: [contactPerson({ id: "70001", identifier })] };
  const inside = (...ids: (string | undefined)[]): ObservationInit => ({
    contained: [
      { resource: { case: "organization" as const, value: {} } },
      ...ids.map((id) => ({
        resource: { case: "relatedPerson" as const, value: { ...(id !== undefined && { id }), identifier } },
      })),
    ],
  });

  it("has an id, by which it is referred to and read (MPI-096)", () => {
    expect(faultsOf(inside("a"), relation)).toEqual([]);
    expect(faultsOf(inside(undefined), relation)).toEqual(["MPI-096 Observation.contained[1].id"]);
  });

  it("has an id of its own (MPI-096)", () => {
    expect(faultsOf(inside("a", "b"), relation)).toEqual([]);
    expect(faultsOf(inside("a", "b", "a"), relation)).toEqual(["MPI-096 Observation.contained[3].id"]);
  });
});

describe("what refers to a contained resource", () => {
  it("is refused where it is to one that is not kept (MPI-096)", () => {
    const to = (reference: string) => ({
      url: "u",
      value: { case: "valueReference", value: { reference } } as const,
    });
    const contained: ObservationInit["contained"] = [
      { resource: { case: "organization", value: { id: "o" } } },
      { resource: { case: "relatedPerson", value: { id: "s", extension: [to("#o"), to("#")] } } },
    ];
    const faults = faultsOf({ contained, extension: [to("#o"), to("#s")] });
    expect(faults.filter((fault) => fault.startsWith("MPI-096"))).toEqual([
      "MPI-096 Observation.contained[1].extension[0].value",
      "MPI-096 Observation.extension[0].value",
    ]);
  });
});

describe("the other person of a marital status", () => {
  const relation = { relatedPersons: [contactPerson({ id: "70001" })] };
  const nobody = ["MPI-034 Observation.focus[0]"];
  const identifier = { system: `${PID}/fin/ni`, value: "020291-456B" };
  const stranger = { system: `${PID}/fin/ni`, value: "030392-789C" };

  it.each(["RelatedPerson/70001", "RelatedPerson/70001/_history/2"])(
    "is a relation of the patient, by reference %s (MPI-034)",
    (reference) => {
      expect(faultsOf({ focus: [{ reference }] }, relation)).toEqual([]);
      expect(faultsOf({ focus: [{ reference }] })).toEqual(nobody);
    },
  );

  it("is not called something else than what the reference is to (MPI-096)", () => {
    const focus = (type: string) => [{ reference: "RelatedPerson/70001", type }];
    expect(faultsOf({ focus: focus("Practitioner") }, relation)).toEqual(["MPI-096 Observation.focus[0]"]);
    for (const type of ["RelatedPerson", "http://hl7.org/fhir/StructureDefinition/RelatedPerson"])
      expect(faultsOf({ focus: focus(type) }, relation)).toEqual([]);
  });

  it("is nobody by the reference of another server", () => {
    const reference = "http://other.example/fhir/RelatedPerson/70001";
    expect(faultsOf({ focus: [{ reference }] }, relation)).toEqual(nobody);
    expect(patientsInFocus(maritalStatus({ focus: [{ reference: "../Patient/8" }] }))).toEqual([]);
  });

  it("is not someone else's relation, nor an ended one", () => {
    const focus = [{ reference: "RelatedPerson/70001" }];
    expect(faultsOf({ focus }, { relatedPersons: [contactPerson({ id: "70002" })] })).toEqual(nobody);
    expect(faultsOf({ focus }, { relatedPersons: [contactPerson({ id: "70001", active: false })] })).toEqual(
      nobody,
    );
  });

  it("may be named by identifier", () => {
    expect(faultsOf({ focus: [{ identifier }] }, relation)).toEqual([]);
    expect(faultsOf({ focus: [{ identifier: stranger }] }, relation)).toEqual(nobody);
  });

  it("may be a patient of the index, who has an identifier of the relation", () => {
    const focus = [{ reference: "Patient/8" }];
    const patients = (own: typeof identifier) => new Map([["8", [create(IdentifierSchema, own)]]]);
    expect(patientsInFocus(maritalStatus({ focus }))).toEqual(["8"]);
    expect(faultsOf({ focus }, { ...relation, patients: patients(identifier) })).toEqual([]);
    expect(faultsOf({ focus }, { ...relation, patients: patients(stranger) })).toEqual(nobody);
    expect(faultsOf({ focus }, relation)).toEqual(nobody);
  });

  it("may be contained, referred to or not", () => {
    const containing = (own: typeof identifier): ObservationInit => ({
      contained: [{ resource: { case: "relatedPerson", value: { id: "spouse", identifier: [own] } } }],
    });
    expect(faultsOf({ ...containing(identifier), focus: [{ reference: "#spouse" }] }, relation)).toEqual([]);
    expect(faultsOf(containing(identifier), relation)).toEqual([]);
    expect(faultsOf(containing(stranger), relation)).toEqual(["MPI-034 Observation.contained[0]"]);
    expect(faultsOf({ focus: [{ reference: "#spouse" }] }, relation)).toEqual(nobody);
  });
});
