import { create, type DescMethod } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ContextValues,
  createContextValues,
  type MethodImplSpec,
  type ServiceImplSpec,
  type Transport,
} from "@connectrpc/connect";
import { runStreamingCall } from "@connectrpc/connect/protocol";
import { CallSignal } from "../call-signal.ts";
import { invokeStream, invokeUnary } from "./in-process-call.ts";

/**
 * A Connect Transport that calls service implementations of this process straight: no socket, no encoding.
 * A message is handed over as it is, so neither side may change one that it gave or got.
 */
export function createInProcessTransport(services: readonly ServiceImplSpec[]): Transport {
  const specs = new Map(
    services.flatMap(({ methods }) =>
      Object.values(methods).map((spec) => [spec.method as DescMethod, spec] as const),
    ),
  );
  return {
    async unary(method, signal, timeoutMs, header, input, contextValues) {
      const spec = specOf(specs, method, "unary");
      const call = new CallSignal(signal, timeoutMs);
      try {
        const request = requestOf(method, header, contextValues);
        const message = create(method.input, input);
        return await invokeUnary(
          spec,
          { ...request, stream: false, method, message, signal: call.signal },
          timeoutMs,
        );
      } finally {
        call.end();
      }
    },
    async stream(method, signal, timeoutMs, header, input, contextValues) {
      const spec = specOf(specs, method, method.methodKind);
      return runStreamingCall({
        req: { ...requestOf(method, header, contextValues), stream: true, method, message: input },
        ...(signal && { signal }),
        ...(timeoutMs !== undefined && { timeoutMs }),
        next: (request) => invokeStream(spec, request, timeoutMs),
      });
    },
  };
}

function specOf<Kind extends MethodImplSpec["kind"]>(
  specs: ReadonlyMap<DescMethod, MethodImplSpec>,
  method: DescMethod,
  kind: Kind,
): Extract<MethodImplSpec, { kind: Kind }> {
  const spec = specs.get(method);
  if (spec?.kind === kind) return spec as Extract<MethodImplSpec, { kind: Kind }>;
  throw new ConnectError(`${method.parent.typeName}.${method.name} is not served here`, Code.Unimplemented);
}

function requestOf(
  method: DescMethod,
  header: ConstructorParameters<typeof Headers>[0],
  contextValues: ContextValues | undefined,
) {
  return {
    service: method.parent,
    requestMethod: "POST",
    url: `in-process:/${method.parent.typeName}/${method.name}`,
    // As messages are, headers are handed over as they are.
    header: header instanceof Headers ? header : new Headers(header),
    contextValues: contextValues ?? createContextValues(),
  };
}
