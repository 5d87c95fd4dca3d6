import { describe, expect, test } from "vitest";
import {
  defaultErrorSystems,
  fault,
  MpiError,
  registerIssue,
  renderError,
  renderIssues,
} from "../../src/errors/index.ts";
import { everyMeaning, meaningOf, ownWordings, sampleFault } from "./catalogue-entries.ts";
import { nearestIn111 } from "./specification.ts";

const current = { version: "1.5.0", language: "en", systems: defaultErrorSystems } as const;
const old = { ...current, version: "1.1.1" } as const;

describe("a meaning that 1.1.1 has no code for", () => {
  test.each(Object.entries(nearestIn111))("is reported as %s: %s", (nearest, codes) => {
    const rendered = codes.flatMap((code) => renderIssues([sampleFault(meaningOf(code, "1.5.0"))], old));
    const [plain] = renderIssues([sampleFault(meaningOf(nearest, "1.1.1"))], old);
    expect(rendered.map(({ code }) => code)).toEqual(codes.map(() => nearest));
    expect(new Set(rendered.map(({ text }) => text))).toEqual(new Set([plain?.text]));
  });

  test("is among those listed, or has its own code with another meaning", () => {
    const listed = new Set(Object.values(nearestIn111).flat());
    const known = new Set(ownWordings("1.1.1").map(({ meaning }) => meaning));
    const missing = ownWordings("1.5.0").filter(
      ({ meaning, code }) => !known.has(meaning) && !listed.has(code),
    );
    expect(missing.map(({ code }) => code).sort()).toEqual(["MPI-035", "MPI-036", "MPI-038"]);
    for (const { meaning, code } of missing)
      expect(renderIssues([sampleFault(meaning)], old)[0]?.code).toBe(code);
  });

  test("says in the diagnostics what 1.5.0 says of it", () => {
    const [issue] = renderIssues([fault("SORT_NOT_ALLOWED", { param: "name" })], old);
    const [own] = renderIssues([fault("SORT_NOT_ALLOWED", { param: "name" })], current);
    expect(issue?.diagnostics).toBe(own?.text);
  });

  test("keeps the status of what happened behind the general error", () => {
    expect(renderError(new MpiError("PATIENT_ACCESS_DENIED"), old)).toMatchObject({ status: 7 });
    expect(renderError(new MpiError("SECONDARY_PATIENT_ESTONIAN"), old)).toMatchObject({ status: 9 });
    expect(
      renderError(new MpiError("ELEMENT_UNKNOWN", { element: "x" }), old).details.issues[0],
    ).toMatchObject({
      code: "MPI-400",
      issueType: "structure",
      diagnostics: "The input of the service is not valid. The element x is not known.",
    });
  });
});

describe("a person that the population register does not know", () => {
  const absent = registerIssue("RR", "10027", "Isikut ei leitud");
  const adapter = fault("XROAD_RR_PERSON_OR_ACCOUNT_INVALID", { original: "10027 - Isikut ei leitud" });

  test.each([
    ["PERSON_ABSENT_FROM_RR", ["MPI-089", 5], ["MPI-029", 2]],
    ["AUTHOR_UNKNOWN_IN_RR", ["MPI-091", 7], ["MPI-400", 7]],
  ] as const)("heads the chain as %s: %s in 1.5.0, %s in 1.1.1", (meaning, now, before) => {
    const error = MpiError.of([fault(meaning), adapter, absent]);
    for (const [reader, [code, status]] of [
      [current, now],
      [old, before],
    ] as const) {
      const rendered = renderError(error, reader);
      expect(rendered.details.issues.map((issue) => issue.code)).toEqual([code, "XRR300", "10027"]);
      expect(rendered.status).toBe(status);
    }
  });

  test("is a patient not found in 1.1.1 where no chain follows", () => {
    expect(renderError(new MpiError("PERSON_ABSENT_FROM_RR"), old)).toMatchObject({ status: 5 });
    expect(renderIssues([fault("PERSON_ABSENT_FROM_RR")], old)[0]?.code).toBe("MPI-021");
  });
});

describe("the issue that stands before the integration failure", () => {
  const capacity = [
    fault("LEGAL_CAPACITY_FAILED"),
    fault("RR_INTEGRATION_FAILED"),
    fault("XROAD_RR_SYSTEM_ERROR"),
  ];
  const disability = [
    fault("DISABILITY_FAILED"),
    fault("SKA_INTEGRATION_FAILED"),
    fault("XROAD_SKA_SYSTEM_ERROR"),
  ];
  const codes = (issues: typeof capacity | typeof disability, presentation: typeof current | typeof old) =>
    renderIssues(issues, presentation).map(({ code }) => code);

  test("is MPI-020 for the legal capacity in 1.5.0, and said once with MPI-029 in 1.1.1", () => {
    expect(codes(capacity, current)).toEqual(["MPI-020", "MPI-029", "XRR100"]);
    expect(codes(capacity, old)).toEqual(["MPI-029", "XRR100"]);
    expect(renderIssues(capacity, old)[0]?.diagnostics).toBe(
      renderIssues([fault("LEGAL_CAPACITY_FAILED")], current)[0]?.text,
    );
  });

  test("is MPI-020 for the disability in 1.1.1, and said once with MPI-030 in 1.5.0", () => {
    expect(codes(disability, old)).toEqual(["MPI-020", "MPI-030", "XSKA100"]);
    expect(codes(disability, current)).toEqual(["MPI-030", "XSKA100"]);
  });
});

describe("a meaning that 1.5.0 has no code for", () => {
  test.each([
    ["AUTHOR_ROLE_MISSING", "MPI-403", 7],
    ["TARGET_PATIENT_NOT_ACTIVE", "MPI-035", 9],
    ["SOURCE_ALREADY_LINKED", "MPI-036", 9],
    ["TARGET_PATIENT_ALREADY_ACTIVE", "MPI-038", 9],
    ["PATIENTS_NOT_LINKED_DIRECTLY", "MPI-038", 9],
    ["DISABILITY_FAILED", "MPI-030", 2],
    ["ADDRESS_WITH_ADS_OID_LACKS_LEVEL", "MPI-082", 3],
  ] as const)("%s is reported as %s", (meaning, code, status) => {
    const rendered = renderError(MpiError.of([sampleFault(meaning)]), current);
    expect([rendered.details.issues[0]?.code, rendered.status]).toEqual([code, status]);
  });

  test("names the interaction when a role is missing", () => {
    const role = new MpiError("AUTHOR_ROLE_MISSING", { interaction: "read Patient" });
    expect(renderError(role, current).details.issues[0]?.text).toContain("read Patient");
    expect(renderError(role, old)).toMatchObject({ status: 16, details: { issues: [{ code: "MPI-044" }] } });
  });
});

test("no text in any version or language shows a placeholder, and none lacks its values", () => {
  for (const version of ["1.5.0", "1.1.1"] as const) {
    for (const language of ["et", "en"] as const) {
      for (const meaning of everyMeaning) {
        const [issue] = renderIssues([sampleFault(meaning)], { ...current, version, language });
        const shown = `${issue?.text} ${issue?.diagnostics}`;
        expect(shown, meaning).not.toMatch(/\$\{|undefined| {2}|\(\)/);
        expect(issue?.text, meaning).not.toBe("");
      }
    }
  }
});
