import type { Message } from "@bufbuild/protobuf";
import { MpiError } from "../../errors/index.ts";
import { undecodableBecause } from "../calls/decode-request.ts";
import { type Interceptor, isStream } from "./interceptor.ts";

/** Refuses a call for a message that could not be decoded; of a stream, when its turn comes. */
export const refuseUndecodable: Interceptor = (call, next) => {
  const { request } = call;
  if (isStream(request)) return next({ ...call, request: decodedStream(request) });
  decoded(request);
  return next(call);
};

function decoded(message: Message): Message {
  const cause = undecodableBecause(message);
  if (cause === undefined) return message;
  throw new MpiError("MESSAGE_UNDECODABLE", { type: message.$typeName }, { cause });
}

// No generator: one that waits for a message could not be let go before it comes.
function decodedStream(messages: AsyncIterable<Message>): AsyncIterable<Message> {
  return {
    [Symbol.asyncIterator]() {
      const source = messages[Symbol.asyncIterator]();
      return {
        async next() {
          const result = await source.next();
          return result.done ? result : { done: false, value: decoded(result.value) };
        },
        async return() {
          return (await source.return?.()) ?? { done: true, value: undefined };
        },
      };
    },
  };
}
