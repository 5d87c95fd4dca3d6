import { type CatalogueVersion, GrpcStatus } from "../../src/errors/index.ts";
import { httpStatuses, nearestIn111, specification } from "../errors/specification.ts";
import type { Scenario, Way } from "./scenario.ts";

/** What the specification says of the answer to a scenario in a version. */
export interface Expectation {
  readonly code: string;
  /** HTTP or gRPC. */
  readonly status: number;
  readonly issueType: string;
  readonly severity: "error";
  readonly expressions: readonly string[];
  /** Names of the values that the text must hold. */
  readonly placeholders: readonly string[];
}

/** The code of 1.1.1 that stands for what keeps the status and the type of what happened. */
const GENERAL = "MPI-400";

/** Issue types of the other codes that stand for one that 1.1.1 does not have. */
const issueTypesIn111: Readonly<Record<string, string>> = { "MPI-015": "invalid", "MPI-021": "not-found" };

const grpcStatuses: Readonly<Record<number, number>> = {
  400: GrpcStatus.INVALID_ARGUMENT,
  403: GrpcStatus.PERMISSION_DENIED,
  404: GrpcStatus.NOT_FOUND,
  409: GrpcStatus.ALREADY_EXISTS,
  422: GrpcStatus.FAILED_PRECONDITION,
  500: GrpcStatus.INTERNAL,
};

export function expectationOf(scenario: Scenario, version: CatalogueVersion, way: Way): Expectation {
  const isStated = version === "1.5.0" || scenario.version === version;
  const code = isStated ? scenario.code : codeIn111(scenario.code);
  const placeholders = specification[version].MPI[code];
  if (placeholders === undefined) throw new Error(`${version} has no code ${code}.`);
  const substituted = code !== scenario.code && code !== GENERAL;
  const http = httpStatusOf(substituted ? code : scenario.code);
  const stated = substituted ? undefined : scenario.status?.[way];
  return {
    code,
    status: stated ?? (way === "http" ? http : grpcStatusOf(http)),
    issueType: (substituted ? issueTypesIn111[code] : undefined) ?? scenario.issueType,
    severity: "error",
    expressions: [scenario.expression ?? []].flat(),
    placeholders,
  };
}

function codeIn111(code: string): string {
  return Object.entries(nearestIn111).find(([, codes]) => codes.includes(code))?.[0] ?? code;
}

function httpStatusOf(code: string): number {
  const number = code.slice("MPI-".length);
  const named = Object.entries(httpStatuses).find(([, numbers]) => numbers.split(" ").includes(number));
  return named === undefined ? 400 : Number(named[0]);
}

function grpcStatusOf(http: number): number {
  const status = grpcStatuses[http];
  if (status === undefined) throw new Error(`No scenario has had the status ${http} until now.`);
  return status;
}
