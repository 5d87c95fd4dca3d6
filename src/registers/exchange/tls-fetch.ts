import { Agent, buildConnector, fetch } from "undici";

/** In PEM: who vouches for security servers, and by what they know us. */
export interface XRoadTls {
  readonly ca?: Buffer;
  readonly certificate?: Buffer;
  readonly key?: Buffer;
}

/**
 * Asks by HTTPS as Node's own `fetch` does, which is that of this library, but takes no certificates and would speak HTTP/2:
 * a server that resets streams has Node's HTTP/2 (26.10) go round in circles for ever, and with it the whole process.
 * Security servers speak HTTP/1.1.
 */
export function tlsFetch({ ca, certificate: cert, key }: XRoadTls) {
  // A security server exports its certificate alone, whoever issued it.
  const connect = buildConnector({ ca, cert, key, allowPartialTrustChain: true, allowH2: false });
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
