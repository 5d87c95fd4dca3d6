import type { Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import {
  asMpiError,
  type ErrorSystems,
  GrpcStatus,
  MpiError,
  type RenderedError,
  renderError,
  statusSizeLimit,
} from "../../errors/index.ts";
import { callContextOf } from "../calls/call-context.ts";
import { type Interceptor, isStream } from "./interceptor.ts";
import type { FailureLog } from "./telemetry/failure-log.ts";

export interface ErrorsOptions {
  readonly failures: FailureLog;
  /** The URIs of the error systems in this deployment. */
  readonly systems: ErrorSystems;
  /** Whether what nobody expected says that something we need is away for the moment. */
  readonly isOutOfReach: (error: unknown) => boolean;
}

/**
 * Turns whatever a call ends with into a ConnectError with ErrorDetails and ErrorInfo, in the version and language
 * of the caller. What nobody expected becomes INTERNAL, is logged once with its causes, and is not shown.
 */
export function errors(options: ErrorsOptions): Interceptor {
  return async (call, next) => {
    try {
      const answer = await next(call);
      return isStream(answer) ? refusingStream(answer, call.context, options) : answer;
    } catch (error) {
      throw refusal(error, call.context, options);
    }
  };
}

async function* refusingStream(
  stream: AsyncIterable<Message>,
  context: HandlerContext,
  options: ErrorsOptions,
): AsyncGenerator<Message> {
  try {
    yield* stream;
  } catch (error) {
    throw refusal(error, context, options);
  }
}

function refusal(thrown: unknown, context: HandlerContext, options: ErrorsOptions): ConnectError {
  const { failures, systems } = options;
  const { version, language } = callContextOf(context);
  const error = meaningOf(thrown, context.signal, options);
  const rendered = renderError(error, { version, language, systems }, sizeLimitOf(context));
  failures.note(rendered, error, context);
  return asConnectError(rendered, error);
}

function meaningOf(thrown: unknown, signal: AbortSignal, { isOutOfReach }: ErrorsOptions): MpiError {
  const isAway = !(thrown instanceof MpiError) && !signal.aborted && isOutOfReach(thrown);
  return isAway ? new MpiError("SERVICE_UNAVAILABLE", {}, { cause: thrown }) : refusedWith(thrown, signal);
}

/** What a call is refused with for what was thrown. */
export function refusedWith(thrown: unknown, signal: AbortSignal): MpiError {
  return thrown instanceof MpiError ? thrown : abortError(thrown, signal);
}

/** Work that was told to stop ends with whatever it was just doing: that is no fault of its own. */
function abortError(thrown: unknown, signal: AbortSignal): MpiError {
  if (!signal.aborted) return asMpiError(thrown);
  const timedOut = signal.reason instanceof ConnectError && signal.reason.code === Code.DeadlineExceeded;
  return new MpiError(timedOut ? "DEADLINE_EXCEEDED" : "CALL_CANCELLED", {}, { cause: thrown });
}

/** Only gRPC proper sends details in trailers; in the other protocols they have a body. */
export function sizeLimitOf({ protocolName }: HandlerContext): number {
  return protocolName === "grpc" ? statusSizeLimit : Number.POSITIVE_INFINITY;
}

/** RFC 9110, 15.5.2: what Connect answers with 401 says how to come back. */
const CHALLENGE = { "www-authenticate": 'Bearer realm="patient-index"' };

/** A rendered error as gRPC and Connect carry it. */
export function asConnectError(
  { status, message, details, info }: RenderedError,
  cause: MpiError,
): ConnectError {
  const outgoing = [
    { desc: ErrorDetailsSchema, value: details },
    { desc: ErrorInfoSchema, value: info },
  ];
  const metadata = status === GrpcStatus.UNAUTHENTICATED ? CHALLENGE : undefined;
  return new ConnectError(message, status as number as Code, metadata, outgoing, cause);
}
