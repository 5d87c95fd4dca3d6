import { create } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import type { SendBatch } from "./batch.ts";
import { CallGatherer } from "./call-gatherer.ts";
import { areShortMetadata, isLookUp } from "./gathered-methods.ts";

/** The transport, with calls that ask for little and come often on their way together. */
export function gatheringTransport(transport: Transport, send: SendBatch): Transport {
  const gatherer = new CallGatherer(transport, send);
  return {
    stream: transport.stream.bind(transport),
    unary(method, signal, timeoutMs, headers, input, contextValues) {
      const header = headers instanceof Headers ? headers : new Headers(headers);
      const request = create(method.input, input);
      const metadata = isLookUp(method, request) ? Object.fromEntries(header) : undefined;
      if (!metadata || !areShortMetadata(metadata)) {
        return transport.unary(method, signal, timeoutMs, header, request, contextValues);
      }
      const call = { method, signal, timeoutMs, header, metadata, request, contextValues };
      return gatherer.call(call) as ReturnType<
        typeof transport.unary<typeof method.input, typeof method.output>
      >;
    },
  };
}
