import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A population register that knows codes and which took the place of which, and nothing else; it checks nothing. */
export async function startPopulationStandIn(successors: Readonly<Record<string, string>>) {
  const server = createServer(async (request, response) => {
    const { personalCode } = await bodyOf(request);
    const successorCode = successors[personalCode];
    response.setHeader("content-type", "application/json");
    if (successorCode === undefined)
      response.writeHead(500).end(JSON.stringify({ code: "10027", message: "" }));
    else response.end(JSON.stringify({ person: { personalCode, successorCode } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<{ readonly personalCode: string }> {
  const chunks: Buffer[] = await Array.fromAsync(request);
  return JSON.parse(Buffer.concat(chunks).toString());
}
