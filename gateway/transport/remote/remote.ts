import type { DescMethod } from "@bufbuild/protobuf";
import { type ContextValues, createContextValues, type Transport } from "@connectrpc/connect";
import { runStreamingCall, runUnaryCall } from "@connectrpc/connect/protocol";
import { gatheringTransport } from "./batching/gathering-transport.ts";
import { Channels, type RemoteCore } from "./channels.ts";
import { batchesBy } from "./remote-batch.ts";
import { openStream } from "./remote-stream.ts";
import { callUnary } from "./remote-unary.ts";

/** A Transport to a core in another process, with the connections that it holds. */
export interface RemoteTransport extends Transport {
  /** Ends the connections; calls that run are cut off. */
  close(): void;
}

/**
 * A Connect Transport over grpc-js. It connects with the first call and again by itself after the core was away;
 * meanwhile calls end at once with UNAVAILABLE. Status details, headers, trailers, deadlines and cancellation
 * are those of any Connect transport.
 */
export function createRemoteTransport(core: RemoteCore): RemoteTransport {
  const channels = new Channels(core);
  const single = transportBy(channels, core);
  const transport = core.gatherCalls
    ? gatheringTransport(
        single,
        batchesBy(() => channels.next()),
      )
    : single;
  return { ...transport, close: () => channels.close() };
}

function transportBy(channels: Channels, core: RemoteCore): Transport {
  return {
    unary(method, signal, timeoutMs, header, input, contextValues) {
      return runUnaryCall({
        req: { ...requestOf(core, method, header, contextValues), stream: false, method, message: input },
        ...(signal && { signal }),
        ...(timeoutMs !== undefined && { timeoutMs }),
        next: (request) => callUnary(channels.next(), request, timeoutMs),
      });
    },
    stream(method, signal, timeoutMs, header, input, contextValues) {
      return runStreamingCall({
        req: { ...requestOf(core, method, header, contextValues), stream: true, method, message: input },
        ...(signal && { signal }),
        ...(timeoutMs !== undefined && { timeoutMs }),
        next: (request) => openStream(channels.next(), request, timeoutMs),
      });
    },
  };
}

function requestOf(
  core: RemoteCore,
  method: DescMethod,
  header: ConstructorParameters<typeof Headers>[0],
  contextValues: ContextValues | undefined,
) {
  return {
    service: method.parent,
    requestMethod: "POST",
    url: `${core.target}/${method.parent.typeName}/${method.name}`,
    header: new Headers(header),
    contextValues: contextValues ?? createContextValues(),
  };
}
