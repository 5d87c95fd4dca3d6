import { describe, expect, it } from "vitest";
import {
  defaultErrorSystems,
  type ErrorIssue,
  type ErrorIssues,
  fault,
  withoutValues,
} from "../../src/errors/index.ts";

const CODE = "38001085718";
const systems = { ...defaultErrorSystems, RR: "https://register.example" };

const kept = (...issues: [ErrorIssue, ...ErrorIssue[]]): ErrorIssues => withoutValues(issues, systems);

describe("an issue that is kept", () => {
  it("says what it means, where and how bad it is, but not of which value", () => {
    const options = { expression: ["Patient.identifier[0].value"], severity: "warning" } as const;
    const [issue] = kept(fault("PATIENT_PERSONAL_CODE_INVALID", { identifier: CODE }, options));
    expect(issue).toEqual({ meaning: "PATIENT_PERSONAL_CODE_INVALID", parameters: {}, ...options });
  });

  it.each([
    ["by the name of the system", "RR"],
    ["by its address here", systems.RR],
  ])("is of a register's code what the catalogue says of it, known %s", (_how, system) => {
    const text = `Isikut ${CODE} ei ole`;
    expect(kept({ system, code: "10027", text })).toEqual([{ meaning: "RR_PERSON_ABSENT", parameters: {} }]);
    expect(kept({ system, code: "10027", text, severity: "warning" })).toEqual([
      { meaning: "RR_PERSON_ABSENT", parameters: {}, severity: "warning" },
    ]);
  });

  it("is of an adapter's code what the catalogue says of it", () => {
    const text = `The population register answered: 7 - ${CODE}`;
    expect(kept({ system: systems.XROAD_RR, code: "XRR200", text })).toEqual([
      { meaning: "XROAD_RR_REGISTER_ERROR", parameters: {} },
    ]);
  });

  it.each([
    ["a code that nobody knows", systems.RR, "4711"],
    ["a code of another register", systems.TAX_BOARD_TOR, "10027"],
    ["a register that nobody knows", defaultErrorSystems.RR, "10027"],
    ["a code of an index, which means another thing in each version", systems.MPI, "MPI-001"],
  ])("is of %s the code alone", (_what, system, code) => {
    expect(kept({ system, code, text: `Isik ${CODE}`, issueType: "exception", severity: "fatal" })).toEqual([
      { system, code, text: "", severity: "fatal" },
    ]);
  });

  it.each([
    ["of words", `Isik ${CODE}`],
    ["that is an identifier", CODE],
  ])("is without a code %s, whichever service says that it is one", (_what, code) => {
    expect(kept({ system: systems.RR, code, text: "Tundmatu" })).toEqual([
      { system: systems.RR, code: "?", text: "" },
    ]);
    expect(kept({ system: code, code: "4711", text: "Tundmatu" })).toEqual([
      { system: "?", code: "4711", text: "" },
    ]);
  });

  it("is one of a chain, in its order", () => {
    const chain = kept(
      fault("PATIENT_PERSONAL_CODE_INVALID", { identifier: CODE }),
      { system: systems.XROAD_RR, code: "XRR200", text: CODE },
      { system: systems.RR, code: "10027", text: CODE },
    );
    expect(chain.map((issue) => ("meaning" in issue ? issue.meaning : issue.code))).toEqual([
      "PATIENT_PERSONAL_CODE_INVALID",
      "XROAD_RR_REGISTER_ERROR",
      "RR_PERSON_ABSENT",
    ]);
    expect(JSON.stringify(chain)).not.toContain(CODE);
  });
});
