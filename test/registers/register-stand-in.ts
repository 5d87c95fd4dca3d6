import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import type { RegisterAddresses } from "../../src/registers/index.ts";

/** A server in the place of every register, which answers all questions with what it was told; by HTTPS if it is given TLS. */
export async function startStandIn(tls?: ServerOptions) {
  let answer: string | Buffer = "{}";
  let exchangeError: string | undefined;
  let asked = 0;
  let held: Promise<void> | undefined;
  const respond: RequestListener = async (request, response) => {
    asked++;
    request.resume();
    const said = answer;
    const until = held;
    held = undefined;
    await until;
    if (exchangeError !== undefined) response.writeHead(500, { "x-road-error": exchangeError });
    else response.setHeader("content-type", "application/json").flushHeaders(); // so that no length is said
    response.end(said);
  };
  const server = tls ? createTlsServer(tls, respond) : createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const addresses: RegisterAddresses = {
    rr: address,
    ads: address,
    tor: address,
    ska: address,
    tk: address,
    wm: address,
  };
  return {
    addresses,
    asked: () => asked,
    says(next: unknown) {
      answer = JSON.stringify(next);
    },
    /** The next answer is what was said when it was asked for, and is on its way until the caller lets it go. */
    holdsNext(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    /** From now on the exchange layer answers, with its header and this body. */
    isCutOff(type: string, body: string) {
      exchangeError = type;
      answer = body;
    },
    saysBytes(next: Buffer) {
      answer = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
