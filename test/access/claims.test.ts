import { describe, expect, test } from "vitest";
import { claimsOf } from "../../src/access/callers/claims.ts";

describe("the claims of a token", () => {
  test.each([
    ["name legal-relationship", ["name", "legal-relationship"]],
    [" name  legal-relationship ", ["name", "legal-relationship"]],
    [
      ["name", "legal-relationship"],
      ["name", "legal-relationship"],
    ],
    [
      ["name legal-relationship", 7, null, "birthdate-search"],
      ["name", "legal-relationship", "birthdate-search"],
    ],
    ["", []],
    [7, []],
    [{ name: true }, []],
    [undefined, []],
  ])("have the scopes %j as %j", (scope, scopes) => {
    expect(claimsOf({ scope }).scopes).toEqual(scopes);
  });

  test.each([
    [" doctor ", "doctor"],
    ["", undefined],
    ["  ", undefined],
    [7, undefined],
    [["doctor"], undefined],
    [null, undefined],
  ])("say by the text %j that it is %j", (claim, said) => {
    const payload = { personalCode: claim, name: claim, organization: claim, role: claim };
    expect(claimsOf({ ...payload, application: claim, patient: claim })).toEqual({
      personalCode: said,
      name: said,
      organization: said,
      role: said,
      application: said,
      represented: said,
      scopes: [],
    });
  });
});
