import { once } from "node:events";
import { Agent, createServer, get } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { restraint } from "../../../gateway/hooks/restraint.ts";

/** As many as are let be. */
const FREE = 10;
const FREE_WITHIN_MS = 100;
/** For how long a connection is left unread, in milliseconds. */
const UNREAD_MS = 850;

let refusals = 0;
let read = 0;
/** Whether a connection was left unread as soon as its request and the answer were over. */
let isLeftAtOnce: boolean | undefined;
const restrain = restraint();
const server = createServer((request, response) => {
  const { socket } = request;
  read += 1;
  response.writeHead(429).end("later");
  for (let n = 0; n < refusals; n++) restrain(response);
  for (const one of [request, response]) {
    one.once("close", () => {
      isLeftAtOnce = socket.isPaused();
    });
  }
});
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
});
afterAll(async () => {
  vi.useRealTimers();
  agent.destroy();
  server.close();
  await once(server, "close");
});

/** Asks over the agent's one connection; answers with its port. */
async function ask(): Promise<number | undefined> {
  const { port } = server.address() as AddressInfo;
  const request = get({ host: "127.0.0.1", port, agent });
  const [response] = await once(request, "response");
  const { localPort } = response.socket as Socket;
  response.resume();
  await once(response, "end");
  return localPort;
}

/** The same some time later, when the answer means so many refusals. */
async function askWith(many: number, after: number): Promise<number | undefined> {
  await passes(after);
  refusals = many;
  return await ask();
}

/** Time passes for the connections, and what has been sent arrives. */
async function passes(milliseconds: number): Promise<void> {
  vi.advanceTimersByTime(milliseconds);
  for (let n = 0; n < 200; n++) await turn();
}

it("a connection is left unread for a moment when there are many refusals, and is kept", async () => {
  refusals = FREE;
  const first = await ask();
  const untroubled = await askWith(1, FREE_WITHIN_MS);
  const oneTooMany = await askWith(FREE + 1, FREE_WITHIN_MS);
  refusals = 1;
  const later = ask();
  await passes(UNREAD_MS - 1);
  expect(read).toBe(3);
  await passes(1);
  const ports = [untroubled, oneTooMany, await later, await ask()];
  expect(ports).toEqual([first, first, first, first]);
});

it("is so at once: while a thousand connections have something to read no turn of the event loop ends", async () => {
  await askWith(1, UNREAD_MS);
  expect(isLeftAtOnce).toBe(false);
  await askWith(FREE + 1, FREE_WITHIN_MS);
  expect(isLeftAtOnce).toBe(true);
});
