import { describe, expect, test } from "vitest";
import {
  defaultErrorSystems,
  fault,
  GrpcStatus,
  httpStatusByGrpcStatus,
  httpStatusOf,
  MpiError,
  registerIssue,
  renderError,
} from "../../src/errors/index.ts";
import { meaningOf, ownWordings, sampleFault } from "./catalogue-entries.ts";
import { httpStatuses } from "./specification.ts";

const current = { version: "1.5.0", language: "en", systems: defaultErrorSystems } as const;
const old = { ...current, version: "1.1.1" } as const;

const httpOf = (
  error: MpiError,
  presentation: typeof current | typeof old = current,
  isConditional = false,
) => {
  const { status, info } = renderError(error, presentation);
  return httpStatusOf({ status, reason: info.reason, isConditional });
};

describe("the HTTP status of a code", () => {
  const named = Object.entries(httpStatuses).flatMap(([status, numbers]) =>
    numbers.split(" ").map((number) => [`MPI-${number}`, Number(status)] as const),
  );

  test.each(named)("%s is %i", (code, status) => {
    expect(httpOf(MpiError.of([sampleFault(meaningOf(code, "1.5.0"))]))).toBe(status);
  });

  test("is 400 for all the others of the index", () => {
    const special: ReadonlySet<string> = new Set(named.map(([code]) => code));
    const others = ownWordings("1.5.0").filter(({ system, code }) => system === "MPI" && !special.has(code));
    expect(others.length).toBeGreaterThan(40);
    for (const { meaning } of others) expect(httpOf(MpiError.of([sampleFault(meaning)])), meaning).toBe(400);
  });

  test.each([
    ["MPI-037", 422],
    ["MPI-044", 401],
  ])("%s is %i in 1.1.1", (code, status) => {
    expect(httpOf(MpiError.of([sampleFault(meaningOf(code, "1.1.1"))]), old)).toBe(status);
  });

  test.each([
    ["UNAVAILABLE", 503],
    ["DEADLINE_EXCEEDED", 504],
  ] as const)("of an integration failure follows the register: %s", (name, status) => {
    const silent = new MpiError("RR_INTEGRATION_FAILED", {}, { status: GrpcStatus[name] });
    expect(httpOf(silent)).toBe(status);
    const capacity = fault("LEGAL_CAPACITY_FAILED", {}, { status: GrpcStatus[name] });
    expect(httpOf(MpiError.of([capacity]), old)).toBe(status);
  });
});

describe("the HTTP status of what has no code of its own", () => {
  test.each([
    ["ROUTE_UNKNOWN", 404],
    ["INTERACTION_NOT_OFFERED", 405],
    ["NOT_ACCEPTABLE", 406],
    ["RELATED_PERSON_DELETED", 410],
    ["OBSERVATION_DELETED", 410],
    ["BODY_TOO_LARGE", 413],
    ["MEDIA_TYPE_UNSUPPORTED", 415],
    ["COMPRESSION_UNSUPPORTED", 415],
    ["TOO_MANY_REQUESTS", 429],
    ["TOKEN_MISSING", 401],
    ["TOKEN_REFUSED", 401],
    ["CALL_CANCELLED", 499],
    ["SERVICE_UNAVAILABLE", 503],
    ["DEADLINE_EXCEEDED", 504],
    ["NOT_IMPLEMENTED", 501],
    ["JSON_MALFORMED", 400],
  ] as const)("%s is %i, in both versions", (meaning, status) => {
    const error = MpiError.of([sampleFault(meaning)]);
    expect([httpOf(error), httpOf(error, old)]).toEqual([status, status]);
  });

  test("a version conflict is 412 under If-Match, else 409", () => {
    const conflict = new MpiError("VERSION_CONFLICT", { current: "3" });
    expect([httpOf(conflict, current, true), httpOf(conflict)]).toEqual([412, 409]);
  });

  test("If-Match changes nothing else", () => {
    expect(httpOf(new MpiError("PATIENT_ALREADY_EXISTS"), current, true)).toBe(409);
  });

  test("a status from the wire is read without our reason, and an unknown one as UNKNOWN", () => {
    expect(httpStatusOf({ status: 14 })).toBe(503);
    expect(httpStatusOf({ status: 5, reason: "toString" })).toBe(404);
    expect(httpStatusOf({ status: 99 })).toBe(502);
  });

  test("there is one for every gRPC status", () => {
    const statuses = Object.values(GrpcStatus).map((status) => httpStatusByGrpcStatus[status]);
    expect(statuses).toEqual([
      200, 499, 502, 400, 504, 404, 409, 403, 429, 422, 409, 400, 501, 500, 503, 500, 401,
    ]);
  });
});

describe("the status of an error with several issues", () => {
  const statusOf = (...issues: Parameters<typeof MpiError.of>[0]) =>
    renderError(MpiError.of(issues), current);

  test("is that of what must be put right first, wherever it stands, and its reason goes with it", () => {
    const rendered = statusOf(
      fault("ESTONIAN_PATIENT_NOT_CREATABLE"),
      fault("PROFILE_MISSING"),
      fault("XML_MALFORMED"),
    );
    expect(rendered).toMatchObject({
      status: GrpcStatus.INVALID_ARGUMENT,
      message: "MPI-024 PROFILE_MISSING",
    });
    expect(rendered.info).toMatchObject({ reason: "PROFILE_MISSING", metadata: { code: "MPI-024" } });
    expect(rendered.details.issues[0]?.code).toBe("MPI-050");
  });

  test("is not that of a warning", () => {
    const warning = fault("PERSON_ABSENT_FROM_RR", {}, { severity: "warning" });
    expect(statusOf(warning, fault("ESTONIAN_PATIENT_NOT_CREATABLE")).status).toBe(
      GrpcStatus.FAILED_PRECONDITION,
    );
    expect(statusOf(warning).status).toBe(GrpcStatus.NOT_FOUND);
  });

  test("is not that of what stands behind in a chain of register errors", () => {
    const adapter = fault("XROAD_ADS_ADDRESS_NOT_FOUND", { adrId: "1" });
    expect(statusOf(fault("ADR_ID_NOT_FOUND", { "adr-id": "1" }), adapter).status).toBe(9);
    expect(statusOf(fault("WM_NOTIFICATION_FAILED"), registerIssue("RR", "9", "x")).status).toBe(2);
  });

  test("is that of the first issue when none is the index's own", () => {
    const down = fault("XROAD_RR_SYSTEM_ERROR");
    expect(statusOf(down, registerIssue("RR", "X1", "x")).status).toBe(GrpcStatus.UNAVAILABLE);
    expect(statusOf(registerIssue("RR", "X1", "x"), down).info.reason).toBe("MIRRORED_ERROR");
  });
});
