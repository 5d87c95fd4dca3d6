import type { CatalogueVersion } from "./catalogue/entry.ts";
import { type ErrorIssue, type ErrorIssues, isFault } from "./fault.ts";
import { GrpcStatus } from "./grpc-status.ts";
import { endOfChain } from "./issues.ts";
import { present } from "./presentation.ts";

/** What a caller must put right first comes first; what only we can put right comes last. */
export const statusPrecedence = [
  GrpcStatus.UNAUTHENTICATED,
  GrpcStatus.PERMISSION_DENIED,
  GrpcStatus.INVALID_ARGUMENT,
  GrpcStatus.OUT_OF_RANGE,
  GrpcStatus.NOT_FOUND,
  GrpcStatus.FAILED_PRECONDITION,
  GrpcStatus.ALREADY_EXISTS,
  GrpcStatus.ABORTED,
  GrpcStatus.RESOURCE_EXHAUSTED,
  GrpcStatus.UNIMPLEMENTED,
  GrpcStatus.CANCELLED,
  GrpcStatus.DEADLINE_EXCEEDED,
  GrpcStatus.UNAVAILABLE,
  GrpcStatus.UNKNOWN,
  GrpcStatus.DATA_LOSS,
  GrpcStatus.INTERNAL,
] as const satisfies readonly GrpcStatus[];

/** The issue that gives the whole its status. */
export interface Decision {
  readonly issue: ErrorIssue;
  readonly status: GrpcStatus;
  /** Its code in the version. */
  readonly code: string;
}

interface Candidate extends Decision {
  readonly decides: boolean;
}

/**
 * The status of the whole. Among the index's own issues it is the one that comes first in `statusPrecedence`,
 * and of two with the same status the first; what stands behind them in a chain of register errors, and
 * warnings, decide nothing. Where there is nothing else, the first issue decides.
 */
export function decide(issues: ErrorIssues, version: CatalogueVersion): Decision {
  const end = endOfChain(issues);
  const candidates = issues.map((issue, at) => candidate(issue, version, at < end));
  const [first, ...others] = candidates.filter(({ decides }) => decides);
  if (first === undefined) return candidate(issues[0], version, end > 0);
  return others.reduce((best, other) => (rank(other) < rank(best) ? other : best), first);
}

function candidate(issue: ErrorIssue, version: CatalogueVersion, inChain: boolean): Candidate {
  if (!isFault(issue)) return { issue, status: GrpcStatus.UNKNOWN, code: issue.code, decides: false };
  const { system, traits, wording } = present(issue.meaning, version, inChain);
  const severity = issue.severity ?? traits.severity ?? "error";
  return {
    issue,
    status: issue.status ?? traits.status,
    code: wording.code,
    decides: system === "MPI" && (severity === "error" || severity === "fatal"),
  };
}

function rank({ status }: Decision): number {
  const place = statusPrecedence.indexOf(status as (typeof statusPrecedence)[number]);
  return place === -1 ? statusPrecedence.length : place;
}
