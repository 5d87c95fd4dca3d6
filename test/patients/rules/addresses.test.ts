import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type AddressSchema, PeriodSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { acceptChangedPatient, acceptNewPatient } from "../../../src/patients/rules/index.ts";
import { codes, setting } from "../../content-rules/faults.ts";
import { estonianPatient, verifiedPatient } from "../examples.ts";

type AddressInit = MessageInitShape<typeof AddressSchema>;

const BASE = "https://fhir.ee/base/StructureDefinition/";
const home = { use: "home", type: "both", country: "EE", text: "Harju maakond, Tallinn, Narva mnt 5" };

function post(...address: AddressInit[]) {
  const { patient, faults } = acceptNewPatient(verifiedPatient({ address }), setting);
  return { address: patient.address, faults: codes(faults) };
}

function withAdrId(code: string, text?: string): AddressInit {
  const coding = { system: "https://fhir.ee/base/CodeSystem/ads-adr-id", code };
  const extension = [{ url: `${BASE}ee-ads-adr-id`, value: { case: "valueCoding" as const, value: coding } }];
  return { use: "home", country: "EE", extension, ...(text === undefined ? {} : { text }) } as AddressInit;
}

describe("an id of the address registry", () => {
  const coding = (kind: string, code: string, system = `https://fhir.ee/base/CodeSystem/ads-${kind}`) => ({
    url: `${BASE}ee-ads-${kind}`,
    value: { case: "valueCoding" as const, value: { system, code } },
  });
  const text = { url: `${BASE}ee-ads-oid`, value: { case: "valueString" as const, value: "EE00000001" } };
  const extended = (extension: object[], country = "EE") =>
    post(home, { use: "temp", country, text: "Pikk 1", extension } as AddressInit).faults;

  it("is said once: one of two would be passed over", () => {
    expect(extended([coding("adr-id", "1"), coding("oid", "EE1"), coding("adr-id", "2")])).toEqual([
      "MPI-096 Patient.address[1].extension[2]",
    ]);
  });

  it("is a coding, of its own system if it names any", () => {
    expect(extended([text])).toEqual(["MPI-096 Patient.address[1].extension[0].value"]);
    expect(extended([coding("adr-id", "1", "https://example.org/ids")])).toEqual([
      "MPI-096 Patient.address[1].extension[0].value.system",
    ]);
    const bare = { url: `${BASE}ee-ads-adr-id`, value: { case: "valueCoding", value: { code: "1" } } };
    expect(extended([bare])).toEqual([]);
  });

  it("means nothing abroad, whatever it is", () => {
    expect(extended([text, coding("oid", "EE1")], "FI")).toEqual([]);
  });
});

describe("an address", () => {
  it("needs a country (MPI-019), one of ISO 3166 (MPI-009)", () => {
    expect(post({ use: "home", text: "Tie 1" }).faults).toEqual(["MPI-019 Patient.address[0].country"]);
    expect(post({ use: "home", text: "Tie 1", country: "ZZ" }).faults).toEqual([
      "MPI-009 Patient.address[0].country",
    ]);
    expect(post({ use: "home", text: "Tie 1", country: "ZZZ" }).faults).toEqual([
      "MPI-009 Patient.address[0].country",
    ]);
    // The last one is a letter whose capitals are FI.
    for (const country of ["Finland", "\ufb01"])
      expect(post({ use: "home", text: "Tie 1", country }).faults).toEqual([
        "MPI-009 Patient.address[0].country",
      ]);
  });

  it.each([
    ["FI", "FI"],
    ["FIN", "FI"],
    ["fin", "FI"],
    ["EST", "EE"],
    ["ee", "EE"],
  ])("in %s is stored in %s", (given, stored) => {
    const { address, faults } = post({ use: "home", text: "Tie 1", country: given });
    expect(faults).toEqual([]);
    expect(address[0]?.country).toBe(stored);
  });

  it("has one of three types, or none (MPI-011)", () => {
    for (const type of ["postal", "physical", "both", undefined])
      expect(post({ ...home, type }).faults).toEqual([]);
    expect(post({ ...home, type: "mail" }).faults).toEqual(["MPI-011 Patient.address[0].type"]);
  });

  it("has one of five uses (MPI-012)", () => {
    for (const use of ["home", "work", "temp", "old", "billing"])
      expect(post({ ...home, use }).faults).toEqual([]);
    expect(post({ ...home, use: "mobile" }).faults).toEqual(["MPI-012 Patient.address[0].use"]);
    expect(post({ ...home, use: undefined }).faults).toEqual(["MPI-012 Patient.address[0].use"]);
  });

  it("does not end before it starts (MPI-096)", () => {
    const period = { start: "2020-05", end: "2020-04-30" };
    expect(post(home, { ...home, text: "Pikk 1", period }).faults).toEqual([
      "MPI-096 Patient.address[1].period",
    ]);
    expect(post({ ...home, period: { start: "2020-04", end: "2020-04-30" } }).faults).toEqual([]);
  });

  it("is refused with what is allowed", () => {
    const address = [{ use: "mobile", type: "mail", country: "Finland", text: "Tie 1" }];
    const { faults } = acceptNewPatient(verifiedPatient({ address }), setting);
    expect(faults.map(({ parameters }) => parameters)).toEqual([
      { type: "mail", allowed: "postal, physical, both" },
      { use: "mobile", allowed: "home, work, temp, old, billing" },
      { code: "Finland" },
    ]);
  });

  it("is not stored with notices that a client puts on it", () => {
    const notice = { url: `${BASE}ee-address-notice` };
    const ehak = { url: `${BASE}ee-ehak` };
    expect(post({ ...home, extension: [notice, ehak] }).address[0]?.extension.map(({ url }) => url)).toEqual([
      `${BASE}ee-ehak`,
    ]);
  });
});

describe("the same address twice", () => {
  const second = ["MPI-049 Patient.address[1]"];

  it("is refused when country and text are the same but for case and spaces (MPI-049)", () => {
    const respelt = { ...home, use: "work", country: "EST", text: "HARJU maakond,  Tallinn, Narva mnt5" };
    expect(post(home, respelt).faults).toEqual(second);
    const [composed, decomposed] = ["Õismäe tee 1".normalize("NFC"), "Õismäe tee 1".normalize("NFD")];
    expect(post({ ...home, text: composed }, { ...home, text: decomposed }).faults).toEqual(second);
    expect(post(home, { ...home, text: "Harju maakond, Tallinn, Narva mnt 6" }).faults).toEqual([]);
    expect(post(home, { ...home, country: "FI" }).faults).toEqual([]);
  });

  it("is refused when the adr-id is the same (MPI-049)", () => {
    expect(post(withAdrId("1234", "Narva mnt 5"), withAdrId("1234")).faults).toEqual(second);
    expect(post(withAdrId("1234", "Narva mnt 5"), withAdrId("1235", "Narva mnt 5")).faults).toEqual([]);
  });

  it("is seen by the text where only one of the two has an adr-id (MPI-049)", () => {
    const bare = { use: "home", country: "EE", text: "Narva mnt 5" };
    expect(post(withAdrId("1234", "narva mnt 5"), bare).faults).toEqual(second);
    expect(post(bare, withAdrId("1234", "narva mnt 5")).faults).toEqual(second);
  });

  it("is not seen in ids of the address registry where an address is abroad", () => {
    const abroad = (text: string) => ({ ...withAdrId("1234", text), country: "FI" });
    expect(post(withAdrId("1234", "Narva mnt 5"), abroad("Mannerheimintie 1, Helsinki")).faults).toEqual([]);
    expect(post(abroad("Mannerheimintie 1, Helsinki"), abroad("Hämeenkatu 2, Tampere")).faults).toEqual([]);
    expect(post(abroad("Hämeenkatu 2, Tampere"), abroad("Hämeenkatu 2, Tampere")).faults).toEqual(second);
  });

  it("is allowed when one has ended", () => {
    expect(post({ ...home, period: { end: "2026-04-30" } }, home).faults).toEqual([]);
    expect(post(home, { ...home, period: { end: "2026-04" } }).faults).toEqual([]);
    expect(post({ ...home, period: { end: "2026-05-01" } }, home).faults).toEqual(second);
  });

  it("is refused with the address, its adr-id where it has no text", () => {
    const told = (address: AddressInit) =>
      acceptNewPatient(verifiedPatient({ address: [address, address] }), setting).faults.map(
        ({ parameters }) => parameters,
      );
    expect(told(withAdrId("1234", "Narva mnt 5"))).toEqual([{ addressText: "Narva mnt 5" }]);
    expect(told(withAdrId("1234"))).toEqual([{ addressText: "1234" }]);
  });

  it("is no matter of addresses without text", () => {
    const parts = { use: "home", country: "FI", line: ["Tie 1"], city: "Oulu" };
    expect(post(parts, parts).faults).toEqual([]);
  });
});

describe("the official residence", () => {
  const before = estonianPatient();
  const [residence] = before.address;
  if (!residence) throw new Error("The example has an official residence.");
  const put = (...address: AddressInit[]) => {
    const changed = acceptChangedPatient(before, estonianPatient({ address }), setting);
    return { address: changed.patient.address, faults: codes(changed.faults) };
  };

  it("stays, whether it is put back, left out or changed", () => {
    for (const given of [[residence], [], [{ ...residence, text: "Mujal 1" }]]) {
      expect(put(...given)).toEqual({ address: [residence], faults: [] });
    }
  });

  it("cannot be written by a client", () => {
    expect(post(residence, home)).toMatchObject({ address: [home], faults: [] });
  });

  it("stays alone of the addresses when a client leaves out the others", () => {
    const summerHouse = { use: "temp", country: "EE", text: "Saare maakond, Orissaare" };
    const stored = estonianPatient({ address: [residence, summerHouse] });
    const { patient, faults } = acceptChangedPatient(stored, estonianPatient({ address: [] }), setting);
    expect({ address: patient.address, faults }).toEqual({ address: [residence], faults: [] });
  });

  it("is none by another extension, nor by one that says that it is none", () => {
    const official = "http://hl7.org/fhir/StructureDefinition/address-official";
    const saying = (url: string, value: boolean) =>
      ({ url, value: { case: "valueBoolean", value } }) as const;
    for (const extension of [saying(official, false), saying("https://his.example/checked", true)]) {
      const own = { use: "temp", country: "EE", text: "Saare maakond, Orissaare", extension: [extension] };
      expect(put(residence, own)).toMatchObject({ address: [residence, own], faults: [] });
    }
  });

  it("stands before the addresses of clients, whose faults keep their place in the body", () => {
    const summerHouse = { use: "temp", country: "EE", text: "Saare maakond, Orissaare" };
    expect(put(residence, summerHouse)).toMatchObject({ address: [residence, summerHouse], faults: [] });
    expect(put(residence, { ...summerHouse, use: "x" }).faults).toEqual(["MPI-012 Patient.address[1].use"]);
  });

  it("is not repeated by a new address (MPI-049)", () => {
    const again = { use: "work", country: "EE", text: residence.text };
    expect(put(residence, again).faults).toEqual(["MPI-049 Patient.address[1]"]);
  });

  it("may be repeated once it has ended", () => {
    const again = { use: "work", country: "EE", text: residence.text };
    const ended = estonianPatient({
      address: [{ ...residence, period: create(PeriodSchema, { end: "2026-04-30" }) }],
    });
    const given = estonianPatient({ address: [again] });
    expect(acceptChangedPatient(ended, given, setting).faults).toEqual([]);
  });

  it("may be the same as an address that the patient had already", () => {
    const again = { use: "work", country: "EE", text: residence.text };
    const stored = estonianPatient({ address: [residence, again] });
    expect(acceptChangedPatient(stored, stored, setting).faults).toEqual([]);
  });

  it("is repeated by an address that the patient had, too, when that had ended (MPI-049)", () => {
    const again = { use: "work", country: "EE", text: residence.text };
    const ended = { ...again, period: create(PeriodSchema, { end: "2026-04-30" }) };
    const stored = estonianPatient({ address: [residence, ended] });
    const faultsOf = (...address: AddressInit[]) =>
      codes(acceptChangedPatient(stored, estonianPatient({ address }), setting).faults);
    expect(faultsOf(residence, ended)).toEqual([]);
    expect(faultsOf(residence, again)).toEqual(["MPI-049 Patient.address[1]"]);
    expect(faultsOf(residence, ended, again)).toEqual(["MPI-049 Patient.address[2]"]);
  });

  it("does not count as an address of a profile without addresses", () => {
    const profile = ["https://fhir.ee/mpi/StructureDefinition/ee-mpi-patient-newborn"];
    const newborn = estonianPatient({
      meta: { profile },
      name: [{ use: "temp", family: "Mänd" }],
      multipleBirth: { case: "multipleBirthInteger", value: 1 },
    });
    expect(acceptChangedPatient(newborn, newborn, setting).faults).toEqual([]);
  });
});
