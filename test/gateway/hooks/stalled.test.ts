import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hangUpOnStalled } from "../../../gateway/hooks/limits.ts";

const STALL_MS = 100;
/** More than the buffers of the operating system hold. */
const MUCH = Buffer.alloc(64 * 1024 * 1024);

const server = createServer(({ url }, response) => {
  if (url === "/much") response.end(MUCH);
  // When the connection has been found to stand still.
  else server.once("timeout", () => response.end("done"));
});

beforeAll(async () => {
  hangUpOnStalled(server, STALL_MS);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

function url(path: string): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
}

it("whoever waits for us is not hung up on, however long that takes", async () => {
  expect(await (await fetch(url("/slow"))).text()).toBe("done");
});

it("whoever does not take an answer is", async () => {
  const socket = connect(Number(new URL(url("/")).port), "127.0.0.1");
  const closed = once(server, "connection").then(([one]) => once(one, "close"));
  socket.pause().on("error", () => undefined);
  socket.write("GET /much HTTP/1.1\r\nhost: mpi\r\n\r\n");
  await closed;
  socket.destroy();
});
