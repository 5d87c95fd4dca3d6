import type { DescMethod, DescService, Message } from "@bufbuild/protobuf";
import {
  createMethodImplSpec,
  createServiceImplSpec,
  type HandlerContext,
  type MethodImpl,
  type MethodImplSpec,
  type ServiceImpl,
  type ServiceImplSpec,
} from "@connectrpc/connect";
import { underCall } from "../../call/current-call.ts";
import { type Language, MpiError } from "../../errors/index.ts";
import { keepCallContext, readCallContext } from "../calls/call-context.ts";
import { currentCallOf } from "./current-call.ts";
import { type Call, type Interceptor, isStream, type Next, type Payload } from "./interceptor.ts";

export interface InterceptOptions {
  /** From the outside in: the first sees the call first and its answer last. */
  readonly interceptors: readonly Interceptor[];
  /** The language of texts for those who name none of ours. */
  readonly defaultLanguage: Language;
}

/**
 * A service implementation with the interceptors round every method, the same whichever way it is then served.
 * Methods find their CallContext by `callContextOf(context)`; a method that is missing answers NOT_IMPLEMENTED.
 */
export function intercept<S extends DescService>(
  service: S,
  impl: Partial<ServiceImpl<S>>,
  options: InterceptOptions,
): ServiceImplSpec {
  const { methods } = createServiceImplSpec(service, impl);
  const offered = new Set(Object.keys(impl));
  const intercepted = service.methods.map((method) => {
    const spec = methods[method.localName];
    const last = spec && offered.has(method.localName) ? invoking(spec) : notImplemented;
    return [method.localName, interceptMethod(method, last, options)] as const;
  });
  return { service, methods: Object.fromEntries(intercepted) };
}

function interceptMethod(
  method: DescMethod,
  last: Next,
  { interceptors, defaultLanguage }: InterceptOptions,
): MethodImplSpec {
  const chain = chained(interceptors, last);
  const answer = (request: Payload, context: HandlerContext): Promise<Payload> => {
    keepCallContext(context, readCallContext(context, defaultLanguage));
    return chain({ method, request, context });
  };
  const isStreaming = method.methodKind === "server_streaming" || method.methodKind === "bidi_streaming";
  const impl = isStreaming
    ? async function* (request: Payload, context: HandlerContext) {
        yield* (await answer(request, context)) as AsyncIterable<Message>;
      }
    : answer;
  return createMethodImplSpec(method, impl as MethodImpl<DescMethod>);
}

/** The interceptors, from the outside in, round what is done last. */
export function chained(interceptors: readonly Interceptor[], last: Next): Next {
  return interceptors.reduceRight<Next>((next, interceptor) => (call) => interceptor(call, next), last);
}

/** The end of a chain: the implementation itself, on behalf of its call. */
export function invoking({ impl }: MethodImplSpec): Next {
  const invoke = impl as (request: Payload, context: HandlerContext) => Promise<Payload> | Payload;
  return async ({ request, context }: Call) => {
    const answer = await underCall(currentCallOf(context), () => invoke(request, context), context.signal);
    return isStream(answer) ? streamedUnderCall(answer, context) : answer;
  };
}

// The body of a generator runs within the call of next(), not within the one that made the generator.
async function* streamedUnderCall(
  stream: AsyncIterable<Message>,
  context: HandlerContext,
): AsyncGenerator<Message> {
  const iterator = stream[Symbol.asyncIterator]();
  const call = currentCallOf(context);
  try {
    for (;;) {
      const result = await underCall(call, () => iterator.next(), context.signal);
      if (result.done) return;
      yield result.value;
    }
  } finally {
    await iterator.return?.();
  }
}

async function notImplemented(): Promise<never> {
  throw new MpiError("NOT_IMPLEMENTED");
}
