import type { Message } from "@bufbuild/protobuf";
import { type CallStatus, statusOf } from "./call-status.ts";
import { type Call, type Interceptor, isStream } from "./interceptor.ts";

/** Is told of a call that has ended: after so many milliseconds, and how. */
export type TellEnd = (call: Call, ms: number, end: CallStatus) => void;

/** Tells of every call when it has ended, of a stream when its last message has gone. */
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
      if (isStream(answer)) return endingStream(answer, (failure) => tell(call, startedAt, failure));
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
  onEnd: (failure?: unknown) => void,
): AsyncGenerator<Message> {
  let failure: unknown;
  try {
    yield* stream;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    onEnd(failure);
  }
}
