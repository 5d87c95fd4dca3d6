import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";

/** One message, or the stream of them, as the kind of the method says. */
export type Payload = Message | AsyncIterable<Message>;

/** A call on its way to the implementation of its method. */
export interface Call {
  readonly method: DescMethod;
  readonly request: Payload;
  readonly context: HandlerContext;
}

/** The rest of the chain, ending in the implementation. */
export type Next = (call: Call) => Promise<Payload>;

/**
 * Something done round every call of every method: it answers by `next(call)`, or refuses by throwing MpiError.
 * A stream of answers comes back before its first message; what goes wrong later shows in the iteration.
 */
export type Interceptor = (call: Call, next: Next) => Promise<Payload>;

export function isStream(payload: Payload): payload is AsyncIterable<Message> {
  return Symbol.asyncIterator in payload;
}
