import type { Transport } from "@connectrpc/connect";
import { createRemoteTransport, type RemoteTransport } from "../gateway/transport/remote/remote.ts";
import { callerHeaders, doctor, type TestCaller } from "./callers.ts";

/** gRPC to a core on this machine, in the name of a caller; the metadata of a call go before his. */
export function transportAs(port: number, caller: TestCaller = doctor): RemoteTransport {
  const target = `127.0.0.1:${port}`;
  const transport = createRemoteTransport({ target });
  const metadata = async (given: ConstructorParameters<typeof Headers>[0]) => {
    const headers = new Headers(await callerHeaders(target, caller));
    for (const [name, value] of new Headers(given)) headers.set(name, value);
    return headers;
  };
  const unary: Transport["unary"] = async (method, signal, timeoutMs, header, ...rest) =>
    transport.unary(method, signal, timeoutMs, await metadata(header), ...rest);
  const stream: Transport["stream"] = async (method, signal, timeoutMs, header, ...rest) =>
    transport.stream(method, signal, timeoutMs, await metadata(header), ...rest);
  return { unary, stream, close: () => transport.close() };
}
