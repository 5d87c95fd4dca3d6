import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Patient_CommunicationSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { acceptNewPatient } from "../../../src/patients/rules/index.ts";
import { showPatient } from "../../../src/patients/show-patient.ts";
import { codes, setting } from "../../content-rules/faults.ts";
import { verifiedPatient } from "../examples.ts";

interface Coding {
  readonly system?: string;
  readonly code?: string;
  readonly display?: string;
}

const TAGS = "urn:ietf:bcp:47";
const LIST = "https://fhir.ee/CodeSystem/keeled";
const speaking = (...coding: Coding[]) =>
  verifiedPatient({
    communication: [create(Patient_CommunicationSchema, { language: { coding: [...coding] } })],
  });
const faultsOf = (...coding: Coding[]) => codes(acceptNewPatient(speaking(...coding), setting).faults);
const displays = (...coding: Coding[]) =>
  showPatient({ patient: speaking(...coding) }).communication[0]?.language?.coding.map(
    ({ display }) => display,
  );

describe("a language", () => {
  it("is of BCP 47 or of the national list (MPI-093)", () => {
    expect(faultsOf({ system: TAGS, code: "et" }, { system: LIST, code: "et" })).toEqual([]);
    expect(faultsOf({ system: "urn:iso:std:iso:639:-2", code: "est" }, { code: "et" })).toEqual([
      "MPI-093 Patient.communication[0].language.coding[0].system",
      "MPI-093 Patient.communication[0].language.coding[1].system",
    ]);
  });

  it.each(["et", "est", "en-GB", "zh-Hant-TW", "de-CH-1996", "sl-rozaj-biske", "en-u-ca-buddhist"])(
    "may have the tag %s",
    (code) => {
      expect(faultsOf({ system: TAGS, code })).toEqual([]);
      expect(codes(acceptNewPatient(verifiedPatient({ language: code }), setting).faults)).toEqual([]);
    },
  );

  it.each(["e", "et_EE", "estonian language", "et-", "123"])("has no malformed tag as %s", (code) => {
    expect(faultsOf({ system: TAGS, code })).toEqual([
      "MPI-096 Patient.communication[0].language.coding[0].code",
    ]);
    expect(codes(acceptNewPatient(verifiedPatient({ language: code }), setting).faults)).toEqual([
      "MPI-096 Patient.language",
    ]);
  });

  it("has a code, and stands in every communication", () => {
    expect(faultsOf({ system: LIST })).toEqual(["MPI-096 Patient.communication[0].language.coding[0].code"]);
    expect(
      codes(acceptNewPatient(verifiedPatient({ communication: [{ preferred: true }] }), setting).faults),
    ).toEqual(["MPI-096 Patient.communication[0].language"]);
  });
});

describe("the display of a language", () => {
  it("is filled in on reading, in Estonian", () => {
    expect(displays({ system: TAGS, code: "et" }, { system: LIST, code: "ru" })).toEqual(["eesti", "vene"]);
    expect(displays({ system: TAGS, code: "en-u-ca-buddhist" })).toEqual(["inglise"]);
  });

  it("stays as it was given", () => {
    expect(displays({ system: TAGS, code: "et", display: "Estonian" })).toEqual(["Estonian"]);
  });

  it.each(["zh-yue", "sgn-ase", "x-test", "i-klingon", "en-GB-oed"])(
    "is left out for %s, a tag that the language data do not have",
    (code) => {
      expect(faultsOf({ system: TAGS, code })).toEqual([]);
      expect(displays({ system: TAGS, code })).toEqual([undefined]);
    },
  );

  it("is left out where no name is known", () => {
    expect(displays({ system: TAGS, code: "qaa" }, { system: LIST, code: "0017" }, { system: TAGS })).toEqual(
      [undefined, undefined, undefined],
    );
  });

  it("is not stored, and filling it in leaves the stored patient alone", () => {
    const stored = acceptNewPatient(speaking({ system: TAGS, code: "et" }), setting).patient;
    showPatient({ patient: stored });
    expect(stored.communication[0]?.language?.coding[0]?.display).toBeUndefined();
  });
});
