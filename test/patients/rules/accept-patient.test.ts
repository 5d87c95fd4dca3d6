import { clone, create, equals, fromBinary, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MetaSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { acceptChangedPatient, acceptNewPatient } from "../../../src/patients/rules/index.ts";
import { showPatient } from "../../../src/patients/show-patient.ts";
import { codes, setting } from "../../content-rules/faults.ts";
import { spoiled } from "../../content-rules/spoiled.ts";
import { arbitraryPatient } from "../arbitrary-patient.ts";
import {
  newbornPatient,
  type PatientInit,
  stillbornPatient,
  unknownPatient,
  verifiedPatient,
} from "../examples.ts";

/** What the index does not process, or gives itself. */
const unprocessed: PatientInit = {
  id: "7",
  text: { status: "generated", div: "<div xmlns='http://www.w3.org/1999/xhtml'>Aino</div>" },
  contained: [{ resource: { case: "organization", value: { id: "a" } } }],
  maritalStatus: { text: "married" },
  photo: [{ url: "http://example.org/photo" }],
  contact: [{ gender: "female" }],
  generalPractitioner: [{ reference: "Practitioner/1" }],
  managingOrganization: { reference: "Organization/1" },
  link: [{ other: { reference: "Patient/8" }, type: "replaces" }],
  etag: 'W/"3"',
};

describe("a valid patient", () => {
  it.each([
    ["verified", verifiedPatient()],
    ["unknown", unknownPatient()],
    ["newborn", newbornPatient()],
    ["stillborn", stillbornPatient()],
  ])("of the profile %s has no fault, and is stored as given", (_, given) => {
    expect(acceptNewPatient(given, setting)).toEqual({ patient: given, faults: [] });
  });

  it("has no fault whatever else is in it", () => {
    fc.assert(
      fc.property(arbitraryPatient, (given) => {
        expect(codes(acceptNewPatient(given, setting).faults)).toEqual([]);
      }),
    );
  });

  it("can be read and put back: nothing is wrong, nothing changes", () => {
    fc.assert(
      fc.property(arbitraryPatient, (given) => {
        const stored = acceptNewPatient(given, setting).patient;
        const again = acceptChangedPatient(stored, stored, setting);
        expect(again.faults).toEqual([]);
        expect(equals(PatientSchema, again.patient, stored)).toBe(true);
        expect(acceptChangedPatient(stored, showPatient({ patient: stored }), setting).faults).toEqual([]);
      }),
    );
  });

  it("is left as it was by the rules", () => {
    fc.assert(
      fc.property(arbitraryPatient, (given) => {
        const before = clone(PatientSchema, given);
        deepFreeze(given);
        acceptNewPatient(given, setting);
        acceptChangedPatient(given, given, setting);
        expect(equals(PatientSchema, given, before)).toBe(true);
      }),
    );
  });

  it("goes over the wire in its stored form", () => {
    const { patient } = acceptNewPatient(verifiedPatient(unprocessed), setting);
    const received = fromBinary(PatientSchema, toBinary(PatientSchema, patient));
    expect(equals(PatientSchema, received, verifiedPatient())).toBe(true);
  });
});

describe("what the index does not process", () => {
  it("is dropped without a word, on creating and on changing", () => {
    const given = verifiedPatient(unprocessed);
    const whole = verifiedPatient();
    expect(acceptNewPatient(given, setting)).toEqual({ patient: whole, faults: [] });
    expect(acceptChangedPatient(whole, given, setting)).toEqual({ patient: whole, faults: [] });
  });

  it("is dropped from meta: version and time; the rest of meta stays", () => {
    const meta = create(MetaSchema, {
      profile: verifiedPatient().meta?.profile ?? [],
      versionId: "3",
      lastUpdated: { seconds: 1n },
      source: "http://example.org/his",
      tag: [{ system: "http://example.org/tags", code: "a" }],
    });
    const { patient } = acceptNewPatient(verifiedPatient({ meta }), setting);
    expect(patient.meta).toMatchObject({ source: meta.source, tag: meta.tag, profile: meta.profile });
    expect(patient.meta).toMatchObject({ versionId: undefined, lastUpdated: undefined });
  });

  it("does not reach the store in fields that are not known", () => {
    const given: Patient = {
      ...verifiedPatient(),
      $unknown: [{ no: 999, wireType: 0, data: new Uint8Array([1]) }],
    };
    expect(acceptNewPatient(given, setting).patient.$unknown).toBeUndefined();
  });
});

describe("what refers to a contained resource", () => {
  const inside = { case: "valueReference", value: { reference: "#o" } } as const;
  const contained: PatientInit["contained"] = [{ resource: { case: "organization", value: { id: "o" } } }];

  it("is refused, since a patient keeps none (MPI-096)", () => {
    const patient = verifiedPatient({
      contained,
      extension: [{ url: "u", value: inside }],
      birthDateElement: { extension: [{ url: "u", extension: [{ url: "v", value: inside }] }] },
      name: [
        {
          use: "official",
          family: "A",
          given: ["B"],
          givenElement: [{ extension: [{ url: "u", value: inside }] }],
        },
      ],
    });
    const { faults } = acceptNewPatient(patient, setting);
    expect(codes(faults).toSorted()).toEqual([
      "MPI-096 Patient.birthDate.extension[0].extension[0].value",
      "MPI-096 Patient.extension[0].value",
      "MPI-096 Patient.name[0].given[0].extension[0].value",
    ]);
    expect(codes(acceptChangedPatient(verifiedPatient(), patient, setting).faults)).toHaveLength(3);
  });

  const referring = (...references: string[]) =>
    references.map((reference) => ({
      url: "u",
      value: { case: "valueReference", value: { reference } } as const,
    }));

  it("is refused as a search instead of an address is, which would keep an identifier in clear (MPI-096)", () => {
    const query = "identifier=https://fhir.ee/sid/pid/fin/ni|010190-123A";
    for (const search of [`Patient?${query}`, `https://his.example/fhir/Patient?${query}`]) {
      const { faults } = acceptNewPatient(verifiedPatient({ extension: referring(search) }), setting);
      expect(codes(faults)).toEqual(["MPI-096 Patient.extension[0].value"]);
    }
  });

  it("is not what refers to another resource", () => {
    const extension = referring("Organization/7", "urn:uuid:1#o", "https://his.example/show?who=7");
    expect(acceptNewPatient(verifiedPatient({ contained, extension }), setting).faults).toEqual([]);
  });

  it("is not what refers to the patient itself: # is for what is contained to say (R5, ref-1)", () => {
    const { faults } = acceptNewPatient(verifiedPatient({ extension: referring("#") }), setting);
    expect(codes(faults)).toEqual(["MPI-096 Patient.extension[0].value"]);
  });
});

describe("the sex of a patient", () => {
  it("is one of four (MPI-094)", () => {
    for (const gender of ["male", "female", "other", "unknown"]) {
      expect(acceptNewPatient(verifiedPatient({ gender }), setting).faults).toEqual([]);
    }
    expect(codes(acceptNewPatient(verifiedPatient({ gender: "Female" }), setting).faults)).toEqual([
      "MPI-094 Patient.gender",
    ]);
  });
});

describe("a name", () => {
  it("has a use of R5 and a period that does not end before it starts", () => {
    const name = [
      { use: "official", family: "A", given: ["B"] },
      { use: "legal", text: "A B", period: { start: "2021-01-01", end: "2020-12-31" } },
    ];
    expect(codes(acceptNewPatient(verifiedPatient({ name }), setting).faults)).toEqual([
      "MPI-096 Patient.name[1].period",
      "MPI-096 Patient.name[1].use",
    ]);
  });
});

describe("a body of whatever texts", () => {
  it("has its faults, each with an expression, and never fails the rules", () => {
    const bodies = arbitraryPatient.chain((valid) => fc.tuple(fc.constant(valid), spoiled(valid)));
    fc.assert(
      fc.property(bodies, ([valid, body]) => {
        const { patient, faults } = acceptNewPatient(body, setting);
        for (const { expression } of [...faults, ...acceptChangedPatient(valid, body, setting).faults]) {
          expect(expression).toHaveLength(1);
          expect(expression?.[0]).toMatch(/^Patient(\.|$)/);
        }
        showPatient({ patient });
      }),
      { numRuns: 1000 },
    );
  });
});

describe("all the faults of a body", () => {
  it("are reported at once, each at its element", () => {
    const { faults } = acceptNewPatient(
      verifiedPatient({
        meta: undefined,
        identifier: [{ system: "x", value: "1" }],
        telecom: [{ system: "fax", value: "1" }],
        gender: "f",
        address: [{ use: "home", country: "FI" }, { country: "XX" }],
        communication: [{ language: { coding: [{ system: "x", code: "et" }] } }],
      }),
      setting,
    );
    expect(codes(faults)).toEqual([
      "MPI-025.01 Patient.identifier[0].system",
      "MPI-024 Patient.meta.profile",
      "MPI-008 Patient.telecom[0].system",
      "MPI-094 Patient.gender",
      "MPI-012 Patient.address[1].use",
      "MPI-009 Patient.address[1].country",
      "MPI-093 Patient.communication[0].language.coding[0].system",
    ]);
  });
});

function deepFreeze(node: unknown): void {
  if (typeof node !== "object" || node === null || Object.isFrozen(node)) return;
  Object.freeze(node);
  for (const child of Object.values(node)) deepFreeze(child);
}
