import type { Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { type Call, type Interceptor, isStream } from "../interceptor.ts";
import { type CallStatus, statusOf } from "./call-status.ts";

/** Is told of a call that has ended: after so many milliseconds, and how. */
export type TellEnd = (call: Call, ms: number, end: CallStatus) => void;

/** Tells of every call when it has ended, of a stream when its last message has gone or nobody is left to take it. */
export function whenEnded(told: readonly TellEnd[]): Interceptor {
  const tell = (call: Call, startedAt: number, failure?: unknown) => {
    const ms = performance.now() - startedAt;
    const end = statusOf(failure);
    for (const tellOne of told) tellOne(call, ms, end);
  };
  return async (call, next) => {
    const startedAt = performance.now();
    try {
      const answer = await next(call);
      if (isStream(answer)) {
        return endingStream(answer, call.context.signal, (failure) => tell(call, startedAt, failure));
      }
      tell(call, startedAt);
      return answer;
    } catch (error) {
      tell(call, startedAt, error);
      throw error;
    }
  };
}

async function* endingStream(
  stream: AsyncIterable<Message>,
  signal: AbortSignal,
  onEnd: (failure?: unknown) => void,
): AsyncGenerator<Message> {
  let failure: unknown;
  let isLeft = true;
  try {
    yield* stream;
    isLeft = false;
  } catch (error) {
    isLeft = false;
    failure = error;
    throw error;
  } finally {
    onEnd(isLeft ? reasonToLeave(signal) : failure);
  }
}

function reasonToLeave({ reason }: AbortSignal): unknown {
  return reason ?? new ConnectError("the client has gone", Code.Canceled);
}
