import { describe, expect, it } from "vitest";
import { isPersonalCode, personalCodeBirthDate } from "../../src/identifiers/index.ts";

describe("an Estonian personal code", () => {
  it.each([
    ["18512310016", "1885-12-31"],
    ["29901010015", "1899-01-01"],
    ["30101010018", "1901-01-01"],
    ["49901010017", "1999-01-01"],
    ["50101010016", "2001-01-01"],
    ["60002290014", "2000-02-29"],
    ["70101010011", "2101-01-01"],
    ["89912310015", "2199-12-31"],
  ])("%s is of one born on %s", (code, birthDate) => {
    expect([isPersonalCode(code), personalCodeBirthDate(code)]).toEqual([true, birthDate]);
  });

  it.each([
    ["with a wrong check digit", "49901010018"],
    ["with a digit more", "499010100170"],
    ["with a digit less", "4990101001"],
    ["after something else", "EE49901010017"],
    ["of a century that no first digit names", "09901010013"],
    ["of a day that its century does not have", "40002290012"],
    ["of a month that does not exist", "49913010010"],
  ])("is none: %s", (_, text) => {
    expect(isPersonalCode(text)).toBe(false);
  });
});
