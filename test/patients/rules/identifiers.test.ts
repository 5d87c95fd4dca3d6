import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NATIONAL_CODE_DEMANDED } from "../../../src/identifiers/index.ts";
import { acceptNewPatient } from "../../../src/patients/rules/index.ts";
import { codes, setting } from "../../content-rules/faults.ts";
import { PERSONAL_CODE, PID, verifiedPatient } from "../examples.ts";

type Given = readonly [system: string | undefined, value: string | undefined];

function faultsOf(...identifiers: Given[]): string[] {
  const identifier = identifiers.map(([system, value]) => ({ system, value }));
  return codes(acceptNewPatient(verifiedPatient({ identifier }), setting).faults);
}

const foreign: Given = [`${PID}/fin/ni`, "010190-123A"];

describe("the identifiers of a new patient", () => {
  it("are at least one (MPI-016)", () => {
    expect(faultsOf()).toEqual(["MPI-016 Patient.identifier"]);
    expect(faultsOf(foreign)).toEqual([]);
  });

  it.each(["ftp://fhir.ee/sid/pid/fin/ni", "fin/ni", "urn:x:https://fhir.ee/sid/pid/fin/ni", "", undefined])(
    "have a URI as system, not %s (MPI-025.01)",
    (system) => {
      expect(faultsOf([system, "1"])).toEqual(["MPI-025.01 Patient.identifier[0].system"]);
    },
  );

  it.each([
    "https://fhir.ee/sid/pid/fin",
    "https://fhir.ee/sid/pid/FIN/ni",
    "https://fhir.ee/sid/pid/usa/ni",
    "https://fhir.ee/sid/pid/xxx/ppn",
    "https://fhir.ee/sid/pid/est/cz",
    "https://fhir.ee/sid/pid/est/prn/1234567",
    "https://fhir.ee/sid/pid/est/prn/90006399/maja|2",
    "http://fhir.ee/sid/pid/fin/ni",
    "http://example.org/ni",
    "urn:oid:1.3.6.1.4.1.28284.6.2.2.16.246.2",
  ])("are of a known system, not of %s (MPI-025)", (system) => {
    expect(faultsOf([system, "1"])).toEqual(["MPI-025 Patient.identifier[0].system"]);
  });

  it.each([
    "usa/ppn",
    "est/mr",
    "est/mrt",
    "est/npi",
    "est/prn/90006399",
    "est/prn/90006399/maja/2",
    "fin/dl",
    "fin/cz",
  ])("may be of the system %s", (path) => {
    expect(faultsOf([`${PID}/${path}`, "1"])).toEqual([]);
  });

  it("are none of the index's own (MPI-056, and not MPI-025)", () => {
    expect(faultsOf([setting.indexSystem, "1"])).toEqual(["MPI-056 Patient.identifier[0].system"]);
  });

  it("are a thousand at the most (MPI-096)", () => {
    const passports = (count: number) =>
      Array.from({ length: count }, (_, n): Given => [`${PID}/fin/ppn`, `P${n}`]);
    expect(faultsOf(...passports(1000))).toEqual([]);
    expect(faultsOf(...passports(1001))).toEqual(["MPI-096 Patient.identifier"]);
  });

  it("have a value", () => {
    expect(faultsOf([`${PID}/fin/ppn`, undefined], [`${PID}/fin/cz`, "  "])).toEqual([
      "MPI-096 Patient.identifier[0].value",
      "MPI-096 Patient.identifier[1].value",
    ]);
  });

  it.each(["\u200B", " \u00AD\u2060 ", "\u3164", "\u0007", "\u2800"])(
    "have a value that can be seen: %j is none",
    (value) => {
      expect(faultsOf([`${PID}/fin/ppn`, value])).toEqual(["MPI-096 Patient.identifier[0].value"]);
    },
  );

  it.each(["AB12\u200B", "AB\u200D12", "\u202EAB12", "AB\t12", "AB12\u0000", "A\uFE0FB12", "AB\u007F12"])(
    "have nothing in their value that cannot be seen: %j",
    (value) => {
      expect(faultsOf([`${PID}/fin/ppn`, value])).toEqual(["MPI-096 Patient.identifier[0].value"]);
    },
  );

  it.each(["AB 12", "010190-123A", "Å/12 №3", "二〇一", "म\u0947 1"])("may have the value %j", (value) => {
    expect(faultsOf([`${PID}/fin/ppn`, value])).toEqual([]);
  });

  it("are each named once, however the value is spaced", () => {
    expect(faultsOf(foreign, [`${PID}/fin/ppn`, "010190-123A"], [foreign[0], " 010190-123A "])).toEqual([
      "MPI-096 Patient.identifier[2]",
    ]);
  });

  it("are stored with trimmed values", () => {
    const identifier = [{ system: `${PID}/fin/ppn`, value: " xP 12 " }];
    const { patient, faults } = acceptNewPatient(verifiedPatient({ identifier }), setting);
    expect(faults).toEqual([]);
    expect(patient.identifier.map(({ value }) => value)).toEqual(["xP 12"]);
  });

  it("have a use that R5 knows, and a period that does not end before it starts", () => {
    const [system, value] = foreign;
    const identifier = [{ system, value, use: "best", period: { start: "2020-05", end: "2020-04-30" } }];
    expect(codes(acceptNewPatient(verifiedPatient({ identifier }), setting).faults)).toEqual([
      "MPI-096 Patient.identifier[0].period",
      "MPI-096 Patient.identifier[0].use",
    ]);
  });
});

describe("an Estonian personal code", () => {
  it("cannot be brought by a client (MPI-050); a wrong one is wrong (MPI-090)", () => {
    expect(faultsOf([`${PID}/est/ni`, PERSONAL_CODE])).toEqual(["MPI-050 Patient.identifier[0]"]);
    expect(faultsOf([`${PID}/est/ni`, ` ${PERSONAL_CODE} `])).toEqual(["MPI-050 Patient.identifier[0]"]);
    expect(faultsOf([`${PID}/est/ni`, "38001085719"])).toEqual(["MPI-090 Patient.identifier[0].value"]);
  });

  it("is known by its first digit, its date and its check digit alone", () => {
    fc.assert(
      fc.property(digitsOfCode, (code) => {
        const [fault = ""] = faultsOf([`${PID}/est/ni`, code]);
        expect(fault.startsWith("MPI-050")).toBe(isPersonalCodeByTheBook(code));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a document number", () => {
  it.each([...NATIONAL_CODE_DEMANDED].filter((country) => country !== "est"))(
    "of %s needs the national code beside it (MPI-070)",
    (country) => {
      const passport: Given = [`${PID}/${country}/ppn`, "P1"];
      expect(faultsOf(passport)).toEqual(["MPI-070 Patient.identifier[0]"]);
      expect(faultsOf(passport, foreign)).toEqual(["MPI-070 Patient.identifier[0]"]);
      expect(faultsOf(passport, [`${PID}/${country}/ni`, "N1"])).toEqual([]);
    },
  );

  it("of a card or a licence needs it as well, each for itself", () => {
    expect(faultsOf([`${PID}/bgr/cz`, "1"], [`${PID}/bgr/dl`, "2"], [`${PID}/fin/dl`, "3"])).toEqual([
      "MPI-070 Patient.identifier[0]",
      "MPI-070 Patient.identifier[1]",
    ]);
  });

  it("of Estonia needs the personal code", () => {
    expect(faultsOf([`${PID}/est/ppn`, "K1234567"])).toEqual(["MPI-070 Patient.identifier[0]"]);
  });

  it("names the system that is missing", () => {
    const identifier = [{ system: `${PID}/lva/ppn`, value: "LV1" }];
    expect(acceptNewPatient(verifiedPatient({ identifier }), setting).faults[0]?.parameters).toEqual({
      "id-system": `${PID}/lva/ppn`,
      "id-value": "LV1",
      required: `${PID}/lva/ni`,
    });
  });
});

/** Codes of eleven digits, half of them with the right check digit, some with impossible dates. */
const digitsOfCode = fc
  .tuple(
    fc.integer({ min: 0, max: 9 }),
    fc.integer({ min: 0, max: 99 }),
    fc.integer({ min: 0, max: 13 }),
    fc.integer({ min: 0, max: 32 }),
    fc.integer({ min: 0, max: 999 }),
    fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined, freq: 2 }),
  )
  .map(([first, year, month, day, serial, last]) => {
    const start = `${first}${pad(year, 2)}${pad(month, 2)}${pad(day, 2)}${pad(serial, 3)}`;
    return `${start}${last ?? lastDigit(start)}`;
  });

/** The rule of the spec once more, by another way: sums of products under two rows of weights. */
function isPersonalCodeByTheBook(code: string): boolean {
  const century = ["", "18", "18", "19", "19", "20", "20", "21", "21"][Number(code[0])];
  if (!century) return false;
  const [year, month, day] = [century + code.slice(1, 3), code.slice(3, 5), code.slice(5, 7)].map(Number);
  const lengths = [31, isLeap(year ?? 0) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const isDay = (day ?? 0) >= 1 && (day ?? 0) <= (lengths[(month ?? 0) - 1] ?? 0);
  return isDay && code.endsWith(`${lastDigit(code.slice(0, 10))}`);
}

function lastDigit(ten: string): number {
  for (const weights of ["1234567891", "3456789123"]) {
    let sum = 0;
    for (let at = 0; at < 10; at += 1) sum += Number(ten[at]) * Number(weights[at]);
    if (sum % 11 !== 10) return sum % 11;
  }
  return 0;
}

function isLeap(year: number): boolean {
  return year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0);
}

function pad(number: number, length: number): string {
  return `${number}`.padStart(length, "0");
}
