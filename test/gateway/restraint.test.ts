import { once } from "node:events";
import { Agent, createServer, get } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { restraint } from "../../gateway/routes/restraint.ts";

/** As many as are let be. */
const FREE = 300;
/** For how long a connection is left unread, in milliseconds; a timer may be early by one. */
const UNREAD_MS = 700 - 1;

let refusals = 0;
let readAt = 0;
const restrain = restraint();
const server = createServer(({ socket }, response) => {
  readAt = performance.now();
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

/** Asks over the agent's one connection; answers with when that was read, in milliseconds, and with its port. */
async function ask(): Promise<{ readAt: number; port: number | undefined }> {
  const { port } = server.address() as AddressInfo;
  const request = get({ host: "127.0.0.1", port, agent });
  const [response] = await once(request, "response");
  const { localPort } = response.socket as Socket;
  response.resume();
  await once(response, "end");
  return { readAt, port: localPort };
}

it("a connection is left unread for a moment when there are many refusals, and is kept", async () => {
  refusals = 1;
  const first = await ask();
  const untroubled = await ask();
  refusals = FREE + 1;
  const oneTooMany = await ask();
  refusals = 1;
  const later = await ask();
  const again = await ask();
  expect(untroubled.readAt - first.readAt).toBeLessThan(UNREAD_MS);
  expect(later.readAt - oneTooMany.readAt).toBeGreaterThanOrEqual(UNREAD_MS);
  expect(again.readAt - later.readAt).toBeLessThan(UNREAD_MS);
  const ports = [untroubled, oneTooMany, later, again].map(({ port }) => port);
  expect(ports).toEqual([first.port, first.port, first.port, first.port]);
});
