import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { ErrorDetailsSchema, type Issue } from "#proto/patientindex/v1/error_details_pb.ts";
import { httpStatusOf, MpiError, type Presentation, renderError } from "../../src/errors/index.ts";
import type { Answer } from "../exchange/answer.ts";
import { type AnswerForm, PLAIN_JSON, resourceText } from "../exchange/answer-form.ts";
import { operationOutcomeOf } from "./operation-outcome.ts";

/** Who is told of a failure, and how. */
export interface FailureReader extends Presentation {
  /** The request carried If-Match or the like: a conflict of versions is 412 then. */
  readonly isConditional: boolean;
  /** JSON without spaces unless given. */
  readonly form?: AnswerForm;
}

interface Failure {
  readonly status: number;
  readonly reason?: string;
  readonly issues: readonly Issue[];
  readonly omitted: number;
}

/** Seconds after which to try again when nobody said. */
const RETRY_AFTER = "5";

/** RFC 6750, 3: the challenge names an error only to a caller whose token was refused. */
function challengeFor(reason: string | undefined): string {
  const realm = 'Bearer realm="patient-index"';
  return reason === "TOKEN_REFUSED" ? `${realm}, error="invalid_token"` : realm;
}

/** The answer to a request that failed, and the reason in the words of the catalogue. */
export interface FailureAnswer extends Answer {
  readonly reason?: string | undefined;
}

/** The OperationOutcome of whatever went wrong: of the core issue by issue, of anything unexpected just that it was. */
export function failureAnswer(error: unknown, reader: FailureReader): FailureAnswer {
  const { issues, omitted, ...call } = failureOf(error, reader);
  const status = httpStatusOf({ ...call, isConditional: reader.isConditional });
  const outcome = operationOutcomeOf(issues, omitted, reader.language);
  const { contentType, text } = resourceText(outcome, reader.form ?? PLAIN_JSON);
  return {
    status,
    headers: { "content-type": contentType, ...statusHeaders(status, issues, call.reason) },
    body: text,
    reason: call.reason,
  };
}

function failureOf(error: unknown, reader: FailureReader): Failure {
  if (error instanceof ConnectError) return coreFailure(error) ?? ownFailure(withoutDetails(error), reader);
  return ownFailure(error instanceof MpiError ? error : unexpected(error), reader);
}

function coreFailure(error: ConnectError): Failure | undefined {
  const [details] = error.findDetails(ErrorDetailsSchema);
  if (details === undefined || details.issues.length === 0) return undefined;
  const [info] = error.findDetails(ErrorInfoSchema);
  return {
    status: error.code,
    issues: details.issues,
    omitted: details.omittedIssues,
    ...(info && { reason: info.reason }),
  };
}

function ownFailure(error: MpiError, reader: FailureReader): Failure {
  const { status, info, details } = renderError(error, reader, Number.POSITIVE_INFINITY);
  return { status, reason: info.reason, issues: details.issues, omitted: details.omittedIssues };
}

/** A call that never reached the core's own words: the channel, the deadline, the limits of gRPC. */
function withoutDetails(error: ConnectError): MpiError {
  const options = { cause: error };
  switch (error.code) {
    case Code.Unavailable:
      return new MpiError("SERVICE_UNAVAILABLE", {}, options);
    case Code.DeadlineExceeded:
      return new MpiError("DEADLINE_EXCEEDED", {}, options);
    case Code.Canceled:
      return new MpiError("CALL_CANCELLED", {}, options);
    case Code.Unimplemented:
      return new MpiError("NOT_IMPLEMENTED", {}, options);
    case Code.ResourceExhausted:
      return tooLarge(error);
    default:
      return unexpected(error);
  }
}

/** Of gRPC's own limit only its text says whether a request or an answer was larger. */
function tooLarge(cause: ConnectError): MpiError {
  const { rawMessage } = cause;
  const [, limit] = /^Received message larger than max \(\d+ vs (\d+)\)/.exec(rawMessage) ?? [];
  if (limit !== undefined) return new MpiError("BODY_TOO_LARGE", { limit }, { cause });
  if (rawMessage.startsWith("Sent message larger than max"))
    return new MpiError("TOO_MANY_RESULTS", {}, { cause });
  return unexpected(cause);
}

function unexpected(cause: unknown): MpiError {
  return new MpiError("INTERNAL_ERROR", {}, { cause });
}

function statusHeaders(
  status: number,
  issues: readonly Issue[],
  reason: string | undefined,
): Record<string, string> {
  if (status === 401) return { "www-authenticate": challengeFor(reason) };
  if (status === 429 || status === 503) {
    return { "retry-after": issues[0]?.parameters["seconds"] ?? RETRY_AFTER };
  }
  // RFC 9110, 12.5.3: so that a client knows a 415 for its compression from one for its media type.
  if (reason === "COMPRESSION_UNSUPPORTED") return { "accept-encoding": "identity" };
  return {};
}
