import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { StatusSchema } from "#proto/google/rpc/status_pb.ts";
import { ErrorDetailsSchema, IssueSeverity } from "#proto/patientindex/v1/error_details_pb.ts";
import {
  defaultErrorSystems,
  type ErrorIssue,
  fault,
  MpiError,
  omittedIssuesText,
  originalError,
  present,
  receivedIssues,
  registerIssue,
  renderError,
  renderIssues,
  rpcStatusOf,
  statusSizeLimit,
} from "../../src/errors/index.ts";
import { everyMeaning, sampleFault } from "./catalogue-entries.ts";

const english = { version: "1.5.0", language: "en", systems: defaultErrorSystems } as const;
const estonian = { ...english, language: "et" } as const;

const render = (issue: ErrorIssue, presentation: typeof english | typeof estonian = english) => {
  const [rendered] = renderIssues([issue], presentation);
  if (rendered === undefined) throw new Error("nothing rendered");
  return rendered;
};

describe("an issue", () => {
  test("carries system, code, text, severity, type, expression and parameters", () => {
    const issue = render(
      fault("ADR_ID_NOT_FOUND", { "adr-id": "123" }, { expression: ["Patient.address[0]"] }),
    );
    expect(issue).toMatchObject({
      system: "https://mpi.tehik.ee",
      code: "MPI-051",
      text: "ADS has no address with the ADR-ID 123.",
      severity: IssueSeverity.ERROR,
      issueType: "not-found",
      expressions: ["Patient.address[0]"],
      parameters: { "adr-id": "123" },
      diagnostics: "",
    });
  });

  test("speaks the language of the request, in a fault's detail too", () => {
    const unknown = fault("ELEMENT_UNKNOWN", { element: "Patient.nimi" });
    expect(render(unknown, estonian).text).toBe(
      "Teenuse sisend ei ole korrektne. Tundmatu element Patient.nimi.",
    );
    expect(render(unknown).text).toBe(
      "The input of the service is not valid. The element Patient.nimi is not known.",
    );
  });

  test("puts the detail of a general error into the diagnostics", () => {
    const route = render(fault("ROUTE_UNKNOWN", { path: "/fihr" }));
    expect(route).toMatchObject({ code: "MPI-400", diagnostics: "There is nothing at /fihr." });
    expect(route.text).toBe(render(fault("FHIR_SERVER_ERROR")).text);
  });

  test.each([
    [fault("ADDRESS_USE_NOT_ALLOWED", { use: "", allowed: "home" }), "The address use '' is not allowed;"],
    [fault("ADDRESS_TEXT_NOT_SEARCHABLE", { text: "" }), "by the text ''."],
    [fault("PATIENT_IDENTIFIER_LIMIT_EXCEEDED", { limit: "100" }), "The limit of 100 identifiers"],
    [fault("XROAD_TOR_EXCHANGE_ERROR", { code: "7", text: "Ei leitud." }), "failed: 7 - Ei leitud."],
  ])("reads well whatever its parameters hold: %#", (issue, part) => {
    expect(render(issue).text).toContain(part);
    expect(render(issue, estonian).text).not.toMatch(/\.\.| {2}| [.;]/);
  });

  test("leaves alone what a value holds", () => {
    const value = "$" + "{element} $& $1";
    expect(render(fault("COUNTRY_CODE_UNKNOWN", { code: value })).text).toBe(
      `The country code ${value} is not known.`,
    );
    expect(render(fault("ELEMENT_UNKNOWN", { element: "$" + "{message}" })).text).toContain(
      "$" + "{message}",
    );
  });

  test("may warn where the catalogue fails, and the catalogue's own warnings do", () => {
    const absent = fault("PERSON_ABSENT_FROM_RR", {}, { severity: "warning" });
    expect(render(absent).severity).toBe(IssueSeverity.WARNING);
    expect(render(fault("PATIENT_DECEASED"))).toMatchObject({
      code: "MPI-101",
      severity: IssueSeverity.WARNING,
      issueType: "informational",
    });
  });

  test("names the error systems of the deployment", () => {
    const systems = { ...defaultErrorSystems, MPI: "urn:x:mpi", RR: "urn:x:rr" };
    const issues = renderIssues([fault("PROFILE_MISSING"), registerIssue("RR", "Q1", "?")], {
      ...english,
      systems,
    });
    expect(issues.map(({ system }) => system)).toEqual(["urn:x:mpi", "urn:x:rr"]);
  });
});

describe("an error of a register", () => {
  const chain = (code: string, text: string) =>
    renderIssues(
      [
        fault("RR_INTEGRATION_FAILED"),
        fault("XROAD_RR_REGISTER_ERROR", { original: originalError(code, text) }),
        registerIssue("RR", code, text),
      ],
      english,
    );

  test("is a chain in order, every link an exception, the adapter's text holding the register's", () => {
    const issues = chain("10001", "Vale pikkus");
    expect(issues.map(({ system, code }) => `${system} ${code}`)).toEqual([
      "https://mpi.tehik.ee MPI-029",
      "https://xroad-rr.tehik.ee XRR200",
      "https://rahvastikuregister.ee 10001",
    ]);
    expect(issues.map(({ issueType }) => issueType)).toEqual(["exception", "exception", "exception"]);
    expect(issues[1]?.text).toContain("10001 - Vale pikkus");
    expect(issues[2]?.text).toBe("Vale pikkus");
  });

  test("says what the register said, with its code where it gave one", () => {
    expect(originalError("10001", "Vale pikkus")).toBe("10001 - Vale pikkus");
    expect(originalError(undefined, "Vale pikkus")).toBe("Vale pikkus");
  });

  test("has the words of the catalogue where the register gave a code alone", () => {
    expect(chain("10001", " ")[2]?.text).toBe("The personal code is not 11 symbols long.");
    expect(chain("Z99", "")[2]).toMatchObject({ code: "Z99", text: "Z99" });
  });

  test("keeps the register's own words where the catalogue has none", () => {
    expect(chain("Z99", "Midagi muud")[2]).toMatchObject({
      code: "Z99",
      text: "Midagi muud",
      issueType: "exception",
    });
  });

  test("that an adapter reported stands behind one's own issue as it came", () => {
    const down = renderError(new MpiError("XROAD_RR_SYSTEM_ERROR"), estonian);
    const whole = renderIssues([fault("RR_INTEGRATION_FAILED"), ...receivedIssues(down.details)], english);
    expect(whole.map(({ system, code, text }) => [system, code, text])).toEqual([
      ["https://mpi.tehik.ee", "MPI-029", "The exchange with the service xroad-rr failed."],
      ["https://xroad-rr.tehik.ee", "XRR100", "Süsteemiviga."],
    ]);
  });
});

describe("the status on the wire", () => {
  const sizeOf = (error: MpiError) => toBinary(StatusSchema, rpcStatusOf(renderError(error, english))).length;
  const many = (count: number) =>
    MpiError.of([
      fault("PROFILE_MISSING"),
      ...Array.from({ length: count - 1 }, (_, at) =>
        fault("ELEMENT_UNKNOWN", { element: `x${at}` }, { expression: [`Patient.x${at}`] }),
      ),
    ]);

  test("holds the details and the ErrorInfo, and no value in its message", () => {
    const error = new MpiError("REQUEST_PERSONAL_CODE_INVALID", { code: "38001085719" });
    const status = fromBinary(StatusSchema, toBinary(StatusSchema, rpcStatusOf(renderError(error, english))));
    const [details, info] = status.details;
    expect(status).toMatchObject({ code: 3, message: "MPI-044 REQUEST_PERSONAL_CODE_INVALID" });
    expect(details && anyUnpack(details, ErrorDetailsSchema)?.issues[0]?.text).toContain("38001085719");
    expect(info && anyUnpack(info, ErrorInfoSchema)).toMatchObject({
      reason: "REQUEST_PERSONAL_CODE_INVALID",
      domain: "patientindex",
    });
  });

  test("leaves out the last issues that do not fit, says how many, and fills the room it has", () => {
    const { details } = renderError(many(300), english);
    expect(details.issues.length + details.omittedIssues).toBe(300);
    expect(details.omittedIssues).toBeGreaterThan(200);
    expect(details.issues[1]?.parameters["element"]).toBe("x0");
    expect(sizeOf(many(300))).toBeLessThanOrEqual(statusSizeLimit);
    expect(sizeOf(many(300))).toBeGreaterThan(statusSizeLimit - 400);
  });

  test("stays within the limit to the byte, whatever the length of the issue that no longer fits", () => {
    for (let length = 1; length <= 120; length++) {
      const issues = Array.from({ length: 60 }, () =>
        fault("COUNTRY_CODE_UNKNOWN", { code: "x".repeat(length) }),
      );
      expect(sizeOf(MpiError.of([fault("PROFILE_MISSING"), ...issues]))).toBeLessThanOrEqual(statusSizeLimit);
    }
  });

  test.each([
    [`Patient${".extension[0]".repeat(64)}`, `Patient${".extension[0]".repeat(14)}`],
    [`Patient.name[0].\`${"b".repeat(300)}\`.x`, "Patient.name[0]"],
    [`Patient.where(id = 'a.b[0]').x${"y".repeat(300)}`, "Patient.where(id = 'a.b[0]')"],
    [`http.${"õ".repeat(150)}`, "http"],
    [`Patient.${"x".repeat(150)}`, `Patient.${"x".repeat(150)}`],
  ])("names an element round the one whose path is over-long: %s", (expression, shown) => {
    const error = new MpiError("ELEMENT_EMPTY", { element: expression }, { expression: [expression] });
    expect(renderError(error, english).details.issues[0]?.expressions).toEqual([shown]);
  });

  test("holds everything where it fits, under a higher limit too", () => {
    expect(renderError(many(10), english).details).toMatchObject({
      omittedIssues: 0,
      issues: { length: 10 },
    });
    const unlimited = renderError(many(300), english, 1_000_000);
    expect(unlimited.details).toMatchObject({ omittedIssues: 0, issues: { length: 300 } });
  });

  test("holds a thousand issues at most, under any limit", () => {
    const { details } = renderError(many(50_000), english, Number.POSITIVE_INFINITY);
    expect([details.issues.length, details.omittedIssues]).toEqual([1000, 49_000]);
  });

  test("is made in a time that grows with the number of issues alone", () => {
    const started = process.threadCpuUsage();
    expect(renderError(many(50_000), english).details.omittedIssues).toBeGreaterThan(49_000);
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(5000);
  });

  test("stays within the limit whatever the values are, with the first issue always there", () => {
    const value = fc
      .record({
        of: fc.constantFrom("a", "õ", "€", "😀", "\ud800"),
        length: fc.constantFrom(0, 1, 149, 200, 801, 3000),
      })
      .map(({ of, length }) => of.repeat(length));
    const issue = fc.oneof(
      fc
        .record({ meaning: fc.constantFrom(...everyMeaning), value, path: value })
        .map(
          ({ meaning, value, path }) =>
            ({ ...sampleFault(meaning, () => value), expression: Array(40).fill(path) }) as ErrorIssue,
        ),
      fc.record({ system: value, code: value, text: value }),
    );
    fc.assert(
      fc.property(fc.array(issue, { minLength: 1, maxLength: 6 }), ([first, ...others]) => {
        const error = MpiError.of([first as ErrorIssue, ...others]);
        expect(sizeOf(error)).toBeLessThanOrEqual(statusSizeLimit);
        const { issues } = renderError(error, english).details;
        expect(issues.length).toBeGreaterThan(0);
        expect(issues.every(({ text }) => text.isWellFormed())).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("says what is left out in both languages", () => {
    expect(omittedIssuesText(7, "et")).toContain("7");
    expect(omittedIssuesText(7, "en")).toBe("Further issues that are not shown: 7.");
  });
});

test("a notice kept by its meaning has its code and text on reading, by version", () => {
  expect(present("ADDRESS_WITH_ADS_OID_LACKS_LEVEL", "1.1.1").wording.code).toBe("MPI-083");
  expect(present("ADDRESS_WITH_ADS_OID_LACKS_LEVEL", "1.5.0").wording.code).toBe("MPI-082");
});

test("issues received as an empty ErrorDetails are none", () => {
  expect(receivedIssues(create(ErrorDetailsSchema))).toEqual([]);
});
