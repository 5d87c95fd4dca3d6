import { Agent, buildConnector, fetch } from "undici";

/** In PEM: who vouches for security servers, and by what they know us. */
export interface XRoadTls {
  readonly ca?: Buffer;
  readonly certificate?: Buffer;
  readonly key?: Buffer;
}

/** Node's own `fetch` is that of this library, and takes no certificates. */
export function tlsFetch({ ca, certificate: cert, key }: XRoadTls) {
  // A security server exports its certificate alone, whoever issued it.
  const connect = buildConnector({ ca, cert, key, allowPartialTrustChain: true });
  const dispatcher = new Agent({
    connect: (to, connected) =>
      connect(to, (...outcome) => {
        const [, socket] = outcome;
        // Why our certificate was refused comes after the handshake, as an error. The library would read on to the end
        // of the connection, and tell of that alone.
        socket?.once("error", () => socket.destroy());
        connected(...outcome);
      }),
  });
  return (url: string, request: RequestInit) => fetch(url, { ...request, dispatcher });
}
