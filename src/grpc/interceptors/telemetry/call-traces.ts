import { CallBatchService } from "#proto/patientindex/v1/call_batch_service_pb.ts";
import { ReadinessService } from "#proto/patientindex/v1/readiness_service_pb.ts";
import type { GrpcStatusName } from "../../../errors/index.ts";
import type { Tracing } from "../../../tracing/index.ts";
import { callContextOf, keepCallContext } from "../../calls/call-context.ts";
import type { Interceptor } from "../interceptor.ts";
import type { TellEnd } from "./when-ended.ts";

/** Calls of a batch are each in the trace of their own caller, so the batch is in none; and health is asked for all the time. */
const UNTRACED: ReadonlySet<unknown> = new Set([CallBatchService, ReadinessService]);

/** Statuses that are no fault of the caller. */
const FAULTS: ReadonlySet<string> = new Set<GrpcStatusName>([
  "UNKNOWN",
  "DEADLINE_EXCEEDED",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
]);

/** Begins the span of every call, in the trace that its metadata name; `traceEnd` ends it. */
export function traced(tracing: Tracing): Interceptor {
  return (call, next) => {
    const { method, context } = call;
    if (UNTRACED.has(method.parent)) return next(call);
    const callContext = callContextOf(context);
    const name = `${method.parent.typeName}/${method.name}`;
    const span = tracing.begin(
      name,
      context.protocolName === "in-process" ? "internal" : "server",
      { "rpc.system.name": "grpc", "rpc.method": name, "mpi.request_id": callContext.requestId },
      (header) => context.requestHeader.get(header),
    );
    keepCallContext(context, { ...callContext, span });
    return next(call);
  };
}

/** Ends the span of a call with its status, and the reason if it was refused. */
export const traceEnd: TellEnd = ({ context }, _ms, { status, reason }) => {
  const { span } = callContextOf(context);
  if (!span) return;
  span.set({ "rpc.status_code": status, ...(reason !== undefined && { "mpi.reason": reason }) });
  span.end(FAULTS.has(status) ? status : undefined);
};
