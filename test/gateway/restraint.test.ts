import { once } from "node:events";
import { Agent, createServer, get } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { restraint } from "../../gateway/routes/restraint.ts";

/** As many as are let be. */
const FREE = 300;

let refusals = 0;
const restrain = restraint();
const server = createServer(({ socket }, response) => {
  response.writeHead(429).end("later");
  for (let n = 0; n < refusals; n++) restrain(socket);
});
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  agent.destroy();
  server.close();
  await once(server, "close");
});

/** Asks over the agent's one connection; answers with how long it took, in milliseconds, and with its port. */
async function ask(): Promise<{ ms: number; port: number | undefined }> {
  const { port } = server.address() as AddressInfo;
  const startedAt = performance.now();
  const request = get({ host: "127.0.0.1", port, agent });
  const [response] = await once(request, "response");
  const { localPort } = response.socket as Socket;
  response.resume();
  await once(response, "end");
  return { ms: performance.now() - startedAt, port: localPort };
}

it("a connection is left unread for a moment when there are many refusals, and is kept", async () => {
  refusals = 1;
  const first = await ask();
  const untroubled = await ask();
  refusals = FREE + 1;
  await ask();
  refusals = 1;
  const later = await ask();
  const again = await ask();
  expect(untroubled.ms).toBeLessThan(200);
  expect(later.ms).toBeGreaterThan(200);
  expect(again.ms).toBeLessThan(200);
  expect([untroubled.port, later.port, again.port]).toEqual([first.port, first.port, first.port]);
});
