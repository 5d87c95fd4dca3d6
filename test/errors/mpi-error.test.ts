import { describe, expect, expectTypeOf, test } from "vitest";
import {
  asMpiError,
  type Fault,
  fault,
  GrpcStatus,
  MpiError,
  type ParametersOf,
  type PlaceholderOf,
  refuseFor,
} from "../../src/errors/index.ts";

describe("an MpiError", () => {
  test("names its meanings for the log, never a value", () => {
    const error = MpiError.of([
      fault("REQUEST_PERSONAL_CODE_INVALID", { code: "38001085719" }),
      { system: "RR", code: "Z1", text: "Mari Maasikas" },
    ]);
    expect(error.message).toBe("REQUEST_PERSONAL_CODE_INVALID, RR Z1");
    expect(String(error)).toBe("MpiError: REQUEST_PERSONAL_CODE_INVALID, RR Z1");
  });

  test("names no text that another service calls its code or its system", () => {
    const error = MpiError.of([
      { system: "RR", code: "Mari Maasikas", text: "" },
      { system: "RR", code: "38001085719", text: "" },
      { system: "the code of 131052-308T", code: "Z1", text: "" },
    ]);
    expect(error.message).toBe("RR ?, ? Z1");
  });

  test("keeps its cause, and what was said of the fault", () => {
    const cause = new Error("socket hang up");
    const error = new MpiError(
      "ADS_INTEGRATION_FAILED",
      {},
      { cause, status: GrpcStatus.UNAVAILABLE, expression: ["Patient.address[0]"] },
    );
    expect(error.cause).toBe(cause);
    expect(error.issues).toEqual([
      { meaning: "ADS_INTEGRATION_FAILED", parameters: {}, status: 14, expression: ["Patient.address[0]"] },
    ]);
    expect(MpiError.of([fault("PROFILE_MISSING")], { cause }).cause).toBe(cause);
  });

  test("has no cause when none is given", () => {
    expect("cause" in new MpiError("PATIENT_NOT_FOUND")).toBe(false);
  });
});

describe("an error that is not ours", () => {
  test.each([new TypeError("boom 38001085719"), "boom", undefined])(
    "becomes an internal error: %s",
    (thrown) => {
      const error = asMpiError(thrown);
      expect(error.message).toBe("INTERNAL_ERROR");
      expect(error.cause).toBe(thrown);
    },
  );

  test("ours stays itself", () => {
    const error = new MpiError("PATIENT_NOT_FOUND");
    expect(asMpiError(error)).toBe(error);
  });
});

test("a call is refused for all its faults at once, and for none not at all", () => {
  const faults = [fault("PROFILE_MISSING"), fault("IDENTIFIER_REQUIRED"), fault("PROFILE_MISSING")];
  expect(() => refuseFor([])).not.toThrow();
  expect(() => refuseFor(faults)).toThrow("PROFILE_MISSING, IDENTIFIER_REQUIRED");
});

describe("the types demand the parameters of the texts", () => {
  test("by the names in the texts, hyphens included", () => {
    expectTypeOf<ParametersOf<"ADS_OID_AND_ADR_ID_NOT_FOUND">>().toEqualTypeOf<{
      readonly "ads-oid": string;
      readonly "adr-id": string;
    }>();
    expectTypeOf<PlaceholderOf<"PATIENT_NOT_FOUND">>().toBeNever();
    expectTypeOf<PlaceholderOf<"INDEX_INCONSISTENT">>().toBeNever();
    expectTypeOf<PlaceholderOf<"ESTONIAN_PATIENT_NOT_CREATABLE">>().toBeNever();
  });

  test("of a situation's detail instead of the message, and of the text it is reported with", () => {
    expectTypeOf<keyof ParametersOf<"INPUT_INVALID">>().toEqualTypeOf<"message">();
    expectTypeOf<keyof ParametersOf<"ELEMENT_UNKNOWN">>().toEqualTypeOf<"element">();
    expectTypeOf<keyof ParametersOf<"INTERACTION_NOT_OFFERED">>().toEqualTypeOf<"interaction">();
  });

  test("of the nearest meaning's text, and the register's own words", () => {
    expectTypeOf<keyof ParametersOf<"AUTHOR_ROLE_MISSING">>().toEqualTypeOf<"interaction">();
    expectTypeOf<keyof ParametersOf<"XROAD_TK_REGISTER_ERROR">>().toEqualTypeOf<"original">();
  });

  test("so that nothing can be left out, added or misspelt", () => {
    const neverCalled = () => {
      // @ts-expect-error: adr-id is missing
      new MpiError("ADR_ID_NOT_FOUND");
      // @ts-expect-error: adr-id is missing
      new MpiError("ADR_ID_NOT_FOUND", {});
      // @ts-expect-error: the name has a hyphen
      new MpiError("ADR_ID_NOT_FOUND", { adrId: "1" });
      // @ts-expect-error: a number is no text
      new MpiError("ADR_ID_NOT_FOUND", { "adr-id": 1 });
      // @ts-expect-error: the text has no such placeholder
      new MpiError("PATIENT_NOT_FOUND", { id: "1" });
      // @ts-expect-error: not in the catalogue
      new MpiError("PATIENT_LOST");
      // @ts-expect-error: the status of this meaning is no matter of choice
      fault("PATIENT_NOT_FOUND", {}, { status: GrpcStatus.UNAVAILABLE });
      // @ts-expect-error: a list may be empty: MpiError.of takes at least one
      MpiError.of([] as Fault[]);
    };
    expectTypeOf(neverCalled).toBeFunction();
  });

  test("in a fault written as plain data too", () => {
    expectTypeOf<{ meaning: "ELEMENT_UNKNOWN"; parameters: { element: string } }>().toExtend<Fault>();
    expectTypeOf<{ meaning: "ELEMENT_UNKNOWN"; parameters: { name: string } }>().not.toExtend<Fault>();
  });
});
