import type { DescMethod } from "@bufbuild/protobuf";
import { ConnectError, type StreamResponse, type Transport } from "@connectrpc/connect";
import { grpcStatusName } from "../../src/errors/index.ts";
import { continueIn, type Span, type SpanAttributes } from "../../src/tracing/index.ts";

/** Begins the span of a call that goes out; undefined where it is part of no trace. */
export type BeginCall = (name: string, attributes: SpanAttributes, headers: Headers) => Span | undefined;

/** The transport, with a span of every call, whose end is its answer: who is called continues its trace. */
export function tracedTransport(transport: Transport, begin: BeginCall): Transport {
  const begun = (method: DescMethod, given: ConstructorParameters<typeof Headers>[0]) => {
    // The same headers may be those of another call.
    const headers = new Headers(given);
    const name = `${method.parent.typeName}/${method.name}`;
    const span = begin(name, { "rpc.system.name": "grpc", "rpc.method": name }, headers);
    if (span) continueIn(headers, span);
    return { headers, span };
  };
  return {
    async unary(method, signal, timeoutMs, header, input, contextValues) {
      const { headers, span } = begun(method, header);
      try {
        const response = await transport.unary(method, signal, timeoutMs, headers, input, contextValues);
        end(span);
        return response;
      } catch (error) {
        end(span, error);
        throw error;
      }
    },
    async stream(method, signal, timeoutMs, header, input, contextValues) {
      const { headers, span } = begun(method, header);
      try {
        const response = await transport.stream(method, signal, timeoutMs, headers, input, contextValues);
        return { ...response, message: untilEnd(response.message, span) };
      } catch (error) {
        end(span, error);
        throw error;
      }
    },
  };
}

async function* untilEnd(messages: StreamResponse["message"], span: Span | undefined): AsyncGenerator<never> {
  let failure: unknown;
  try {
    yield* messages as AsyncIterable<never>;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    end(span, failure);
  }
}

function end(span: Span | undefined, failure?: unknown): void {
  if (!span) return;
  const status = failure === undefined ? "OK" : grpcStatusName(ConnectError.from(failure).code);
  span.set({ "rpc.status_code": status });
  span.end(failure === undefined ? undefined : status);
}
