import { type CallOptions, Code, ConnectError } from "@connectrpc/connect";
import { type ErrorDetails, ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { nameHeaders } from "../../call/author.ts";
import { budgetMs, currentCall, currentSignal } from "../../call/current-call.ts";
import { type ErrorIssue, GrpcStatus, type MirroredIssue, receivedIssues } from "../../errors/index.ts";
import { plainCode } from "../../registers/index.ts";
import { RegisterFailure } from "../../registers/ports.ts";

/**
 * The issue for an adapter that reported none of its own: it could not be reached (undefined), answered too late
 * (DEADLINE_EXCEEDED), or gave an answer that cannot be understood (UNKNOWN).
 */
export type AdapterSilence = (status: FailedStatus | undefined) => ErrorIssue;
type FailedStatus = typeof GrpcStatus.DEADLINE_EXCEEDED | typeof GrpcStatus.UNKNOWN;

/** The metadata of a call that its calls to adapters carry on. */
const PASSED_ON = [
  "accept-language",
  "x-mpi-version",
  "x-road-userid",
  "x-road-client",
  "x-road-issue",
  "traceparent",
  "tracestate",
] as const;
/** What an adapter may take on top of the time of its register. */
const ADAPTER_MS = 500;

/** Calls an adapter on behalf of the current call; what fails becomes a RegisterFailure. */
export async function askAdapter<Answer>(
  registerTimeoutMs: number,
  silence: AdapterSilence,
  ask: (options: CallOptions) => Promise<Answer>,
): Promise<Answer> {
  const signal = currentSignal();
  try {
    const timeoutMs = budgetMs(registerTimeoutMs + ADAPTER_MS);
    return await ask({ headers: headers(), timeoutMs, ...(signal && { signal }) });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw failureOf(ConnectError.from(cause), silence);
  }
}

/** Whether the caller wants the register itself to be asked. */
export function isNoCacheCall(): boolean {
  const directives = currentCall()?.headers.get("cache-control")?.toLowerCase().split(",") ?? [];
  return directives.some((directive) => directive.trim() === "no-cache");
}

function headers(): Headers {
  const passed = new Headers();
  const call = currentCall();
  if (!call) return new Headers(nameHeaders());
  passed.set("x-road-id", call.requestId);
  for (const name of PASSED_ON) {
    const value = call.headers.get(name);
    if (value) passed.set(name, value);
  }
  return passed;
}

/** Statuses by which an adapter is away, or nobody gets to it. */
const AWAY: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.Aborted,
  Code.Canceled,
  Code.ResourceExhausted,
  Code.Unauthenticated,
  Code.PermissionDenied,
  Code.Unimplemented,
]);

/** The issues of the register that the adapter reported; where it reported none, that for silence. */
function failureOf(error: ConnectError, silence: AdapterSilence): RegisterFailure {
  const [details] = error.findDetails(ErrorDetailsSchema);
  const [first, ...others] = details ? issuesOf(details).filter(isOfRegister) : [];
  const status = statusOf(error.code);
  if (first) return new RegisterFailure([first, ...others], status ?? GrpcStatus.UNAVAILABLE, error);
  return new RegisterFailure([silence(status)], status ?? GrpcStatus.UNAVAILABLE, error);
}

function issuesOf(details: ErrorDetails): MirroredIssue[] {
  return receivedIssues(details).map((issue) => ({ ...issue, code: plainCode(issue.code) }));
}

/** Whether an issue is about the register, not about the adapter itself: our adapters report their own failures by codes of the index. */
function isOfRegister({ system, code }: MirroredIssue): boolean {
  return system !== "" && code !== "" && !code.startsWith("MPI-");
}

/** Undefined of an adapter that is away. */
function statusOf(code: Code): FailedStatus | undefined {
  if (AWAY.has(code)) return undefined;
  return code === Code.DeadlineExceeded ? GrpcStatus.DEADLINE_EXCEEDED : GrpcStatus.UNKNOWN;
}
