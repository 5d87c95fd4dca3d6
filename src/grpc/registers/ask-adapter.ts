import { type CallOptions, Code, ConnectError } from "@connectrpc/connect";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { nameHeaders } from "../../call/author.ts";
import { budgetMs, currentCall, currentSignal } from "../../call/current-call.ts";
import { type ErrorIssue, GrpcStatus, receivedIssues } from "../../errors/index.ts";
import { RegisterFailure } from "../../registers/ports.ts";

/** What an adapter that says nothing itself would have said: out of reach, or too late. */
export type AdapterSilence = (status: typeof GrpcStatus.DEADLINE_EXCEEDED | undefined) => ErrorIssue;

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

/** Statuses by which an adapter speaks of its register; with any other it speaks of itself. */
const OF_REGISTER: ReadonlySet<Code> = new Set([Code.Unknown, Code.Unavailable, Code.DeadlineExceeded]);

function failureOf(error: ConnectError, silence: AdapterSilence): RegisterFailure {
  const [details] = OF_REGISTER.has(error.code) ? error.findDetails(ErrorDetailsSchema) : [];
  const [first, ...others] = details ? receivedIssues(details) : [];
  if (first) return new RegisterFailure([first, ...others], error.code as number as GrpcStatus, error);
  return error.code === Code.DeadlineExceeded
    ? new RegisterFailure([silence(GrpcStatus.DEADLINE_EXCEEDED)], GrpcStatus.DEADLINE_EXCEEDED, error)
    : new RegisterFailure([silence(undefined)], GrpcStatus.UNAVAILABLE, error);
}
