import type { DescMethod, DescService, Message } from "@bufbuild/protobuf";
import {
  createServiceImplSpec,
  type HandlerContext,
  type ServiceImpl,
  type ServiceImplSpec,
} from "@connectrpc/connect";
import { chained, invoking } from "./intercept.ts";
import { type Interceptor, isStream } from "./interceptor.ts";

/** Calls a method by its name as a part of a call that is under way. */
export type PartOfCall = (name: string, request: Message, whole: HandlerContext) => Promise<Message>;

/**
 * The methods of services, without interceptors of their own, for calls that do several things: each is called with the
 * interceptors given, which see it as the method that it is, and throws as the use case does. What holds for the whole
 * call was looked at already.
 */
export function partsOfCalls(
  services: readonly ServiceImplSpec[],
  interceptors: readonly Interceptor[],
): PartOfCall {
  const parts = new Map(
    services.flatMap(({ methods }) =>
      Object.values(methods).map((spec) => {
        const part = { method: spec.method as DescMethod, next: chained(interceptors, invoking(spec)) };
        return [part.method.localName, part] as const;
      }),
    ),
  );
  return async (name, request, whole) => {
    const part = parts.get(name);
    if (!part) throw new TypeError(`${name} cannot be a part of a call`);
    const { method, next } = part;
    const answer = await next({ method, request, context: partContext(whole, method) });
    if (isStream(answer)) throw new TypeError(`${name} answers with a stream`);
    return answer;
  };
}

/** The context of the whole call, by the name of the part. */
function partContext(whole: HandlerContext, method: DescMethod): HandlerContext {
  return {
    method,
    service: method.parent,
    signal: whole.signal,
    requestMethod: whole.requestMethod,
    url: whole.url,
    protocolName: whole.protocolName,
    requestHeader: whole.requestHeader,
    values: whole.values,
    timeoutMs: () => whole.timeoutMs(),
    responseHeader: whole.responseHeader,
    responseTrailer: whole.responseTrailer,
  };
}

/** A service as it is implemented, without interceptors. */
export function implemented<S extends DescService>(service: S, impl: ServiceImpl<S>): ServiceImplSpec {
  return createServiceImplSpec(service, impl);
}
