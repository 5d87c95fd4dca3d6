import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { type ErrorInfo, ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { type Status, StatusSchema } from "#proto/google/rpc/status_pb.ts";
import { type ErrorDetails, ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { decide } from "./deciding.ts";
import { isFault } from "./fault.ts";
import type { GrpcStatus } from "./grpc-status.ts";
import { renderIssues } from "./issues.ts";
import type { MpiError } from "./mpi-error.ts";
import type { Presentation } from "./presentation.ts";
import { clipCode, issuesThatFit } from "./size-limit.ts";

/** The domain of our ErrorInfo: its reasons are the meanings of the catalogue. */
export const errorDomain = "patientindex";

/**
 * The most bytes of an encoded google.rpc.Status: C-core clients fail a call above 8 KiB of trailers, which
 * hold it in base64.
 */
export const statusSizeLimit = 5500;

/** The most issues that are put into words: nobody reads more, and a body can have a fault every few bytes. */
export const mostIssues = 1000;

/** An error in words, ready for any protocol. */
export interface RenderedError {
  readonly status: GrpcStatus;
  /** For developers and logs: code and meaning, no values. */
  readonly message: string;
  readonly details: ErrorDetails;
  /** The reason is the meaning that decided the status, metadata.code its code. */
  readonly info: ErrorInfo;
}

/**
 * An error in the words of a version and language. Over-long values are cut, and the last issues left out that are
 * more than `mostIssues` or would bring the encoded status above `sizeLimit` bytes: `omittedIssues` counts them, and
 * they still count for the status. An answer that does not travel in trailers may have a higher limit.
 */
export function renderError(
  error: MpiError,
  presentation: Presentation,
  sizeLimit: number = statusSizeLimit,
): RenderedError {
  const decision = decide(error.issues, presentation.version);
  const { issue, status } = decision;
  const code = clipCode(decision.code);
  const reason = isFault(issue) ? issue.meaning : mirroredReason;
  const whole: RenderedError = {
    status,
    message: `${code} ${reason}`,
    details: detailsOf(error, presentation),
    info: create(ErrorInfoSchema, { reason, domain: errorDomain, metadata: { code } }),
  };
  return { ...whole, details: withinLimit(whole, sizeLimit) };
}

function detailsOf({ issues }: MpiError, presentation: Presentation): ErrorDetails {
  const omittedIssues = Math.max(0, issues.length - mostIssues);
  return create(ErrorDetailsSchema, {
    issues: renderIssues(issues.slice(0, mostIssues), presentation),
    omittedIssues,
  });
}

/** The reason where an error holds nothing but issues of other services. */
const mirroredReason = "MIRRORED_ERROR";

/** The whole as google.rpc.Status, its details the ErrorDetails and the ErrorInfo. */
export function rpcStatusOf({ status, message, details, info }: RenderedError): Status {
  return create(StatusSchema, {
    code: status,
    message,
    details: [anyPack(ErrorDetailsSchema, details), anyPack(ErrorInfoSchema, info)],
  });
}

function withinLimit(whole: RenderedError, sizeLimit: number): ErrorDetails {
  const { issues, omittedIssues } = whole.details;
  const all = issues.length + omittedIssues;
  const envelope = { ...whole, details: create(ErrorDetailsSchema, { omittedIssues: all }) };
  const room = sizeLimit - toBinary(StatusSchema, rpcStatusOf(envelope)).length - growthOfLengths;
  const kept = issuesThatFit(issues, room);
  return create(ErrorDetailsSchema, { issues: kept, omittedIssues: all - kept.length });
}

/** The length of the details, and that of the Any round them, take up to four bytes more when the issues are in. */
const growthOfLengths = 2 * 4;
