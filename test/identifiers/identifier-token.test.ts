import { describe, expect, it } from "vitest";
import { isPersonalCodeToken, parseIdentifierToken } from "../../src/identifiers/index.ts";

const BASE = "https://fhir.ee/sid/pid";
const ROOT = "urn:oid:1.3.6.1.4.1.28284.6.2";

describe("an identifier to search for", () => {
  it.each([
    [`${BASE}|X1`, {}],
    [`${BASE}/fin|X1`, { country: "fin" }],
    [`${BASE}/fin/ni|X1`, { country: "fin", type: "ni" }],
    [`${BASE}/est/prn/90006399/ward|X1`, { country: "est", type: "prn/90006399/ward" }],
    [`${BASE}/est/prn/90006399/7|X1`, { country: "est", type: "prn/90006399/7" }],
    [
      `${BASE}/est/prn/90006399/${"a".repeat(200)}|X1`,
      { country: "est", type: `prn/90006399/${"a".repeat(200)}` },
    ],
    [`${ROOT}.2.1|X1`, { country: "est", type: "ni" }],
    [`${ROOT}.4.7|X1`, { country: "est", type: "mrt" }],
    [`${ROOT}.4.7.4|X1`, { country: "est", type: "mr" }],
    [`${ROOT}.2.75|X1`, { country: "est", type: "npi" }],
    [`${ROOT}.2.16.246|X1`, { country: "fin" }],
    [`${ROOT}.2.16.246.1|X1`, { country: "fin", type: "ppn" }],
    [`${ROOT}.2.16.246.2|X1`, { country: "fin", type: "ni" }],
    [`${ROOT}.2.16.246.3|X1`, { country: "fin", type: "cz" }],
    [`${ROOT}.2.16.246.4|X1`, { country: "fin", type: "dl" }],
    // ISO numeric codes below 100 are three digits, which an OID writes without the zeros in front.
    [`${ROOT}.2.16.8.1|X1`, { country: "alb", type: "ppn" }],
  ])("%s", (token, scope) => {
    expect(parseIdentifierToken(token)).toEqual({ ...scope, value: "X1" });
  });

  it("has all that follows the first bar as its value", () => {
    expect(parseIdentifierToken(`${BASE}/fin/ppn| A|1 `)).toEqual({
      country: "fin",
      type: "ppn",
      value: "A|1",
    });
  });

  it.each([
    ["X1", "NO_SEPARATOR"],
    ["|X1", "UNKNOWN_SYSTEM"],
    [`${BASE}/fin/ni|`, "NO_VALUE"],
    [`${BASE}/fin/ni|  `, "NO_VALUE"],
    [`${BASE}/xyz|X1`, "UNKNOWN_SYSTEM"],
    [`${BASE}/fin/xx|X1`, "UNKNOWN_SYSTEM"],
    [`${BASE}/est/prn/1|X1`, "UNKNOWN_SYSTEM"],
    [`${BASE}/est/prn/90006399/${"a".repeat(201)}|X1`, "UNKNOWN_SYSTEM"],
    [`${BASE}/est/prn/90006399/|X1`, "UNKNOWN_SYSTEM"],
    [`${BASE}/est/xprn/90006399|X1`, "UNKNOWN_SYSTEM"],
    [`${BASE}/FIN|X1`, "UNKNOWN_SYSTEM"],
    [`${BASE}/FIN/ppn|X1`, "UNKNOWN_SYSTEM"],
    ["https://fhir.ee/sid/org/fin|X1", "UNKNOWN_SYSTEM"],
    ["https://fhir.ee/sid/org/fin/ppn|X1", "UNKNOWN_SYSTEM"],
    [`${ROOT}.3.16.246|X1`, "UNKNOWN_SYSTEM"],
    [`${ROOT}.2.16.1246.2|X1`, "UNKNOWN_SYSTEM"],
    [`${ROOT}.2.16..2|X1`, "UNKNOWN_SYSTEM"],
    [`${ROOT}.2.16.246.5|X1`, "UNKNOWN_SYSTEM"],
    [`${ROOT}.2.16.246.2.1|X1`, "UNKNOWN_SYSTEM"],
    [`${ROOT}.2.16.999|X1`, "UNKNOWN_SYSTEM"],
    ["https://example.org|X1", "UNKNOWN_SYSTEM"],
    ["urn:oid:constructor|X1", "UNKNOWN_SYSTEM"],
    [`${ROOT}.2.16.246.constructor|X1`, "UNKNOWN_SYSTEM"],
  ])("is none: %s", (token, fault) => {
    expect(parseIdentifierToken(token)).toBe(fault);
  });
});

describe("an Estonian personal code, which the population register is asked for,", () => {
  it.each([
    [`${BASE}/est/ni|X1`, true],
    [`${ROOT}.2.1|X1`, true],
    [`${BASE}/est/mr|X1`, false],
    [`${BASE}/fin/ni|X1`, false],
    [`${BASE}/est|X1`, false],
    [`${BASE}|X1`, false],
  ])("is searched for by its own system alone: %s", (token, isOne) => {
    const parsed = parseIdentifierToken(token);
    expect(typeof parsed === "object" && isPersonalCodeToken(parsed)).toBe(isOne);
  });
});
