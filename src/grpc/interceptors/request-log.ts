import type { Message } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import type { Logger } from "pino";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { grpcStatusName } from "../../errors/index.ts";
import { callContextOf } from "../call-context.ts";
import { type Call, type Interceptor, isStream } from "./interceptor.ts";

/** Writes a line per call when it has ended: method, status, time, request id; no values. Refused calls at info, others at debug. */
export function requestLog(log: Logger): Interceptor {
  return async (call, next) => {
    const startedAt = performance.now();
    try {
      const answer = await next(call);
      if (isStream(answer)) return loggedStream(answer, log, call, startedAt);
      logEnd(log, call, startedAt);
      return answer;
    } catch (error) {
      logEnd(log, call, startedAt, error);
      throw error;
    }
  };
}

async function* loggedStream(
  stream: AsyncIterable<Message>,
  log: Logger,
  call: Call,
  startedAt: number,
): AsyncGenerator<Message> {
  let failure: unknown;
  try {
    yield* stream;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    logEnd(log, call, startedAt, failure);
  }
}

function logEnd(log: Logger, { method, context }: Call, startedAt: number, failure?: unknown): void {
  const level = failure === undefined ? "debug" : "info";
  if (!log.isLevelEnabled(level)) return;
  const line = {
    requestId: callContextOf(context).requestId,
    method: `${method.parent.typeName}/${method.name}`,
    protocol: context.protocolName,
    ...statusOf(failure),
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
  };
  log[level](line, "call ended");
}

function statusOf(failure: unknown) {
  if (failure === undefined) return { status: "OK" };
  const error = ConnectError.from(failure);
  const [info] = error.findDetails(ErrorInfoSchema);
  return { status: grpcStatusName(error.code), ...(info && { reason: info.reason }) };
}
