import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { answerText, UnreadableAnswer } from "../../src/call/answer-text.ts";

let server: Server;

afterEach(async () => {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
});

async function answerOf(listener: RequestListener): Promise<Response> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

test("an answer is read to its end, letters that lie across its parts too", async () => {
  const bytes = Buffer.from("Tõnu Õun");
  const answer = await answerOf((_, response) => {
    response.write(bytes.subarray(0, 2));
    setTimeout(() => response.end(bytes.subarray(2)), 20);
  });
  expect(await answerText(answer, bytes.length)).toBe("Tõnu Õun");
});

test("an answer of no length that does not end is left, and its connection closed", async () => {
  const left = Promise.withResolvers<void>();
  const answer = await answerOf((_, response) => {
    const more = setInterval(() => response.write("x".repeat(1000)), 1);
    response.on("close", () => {
      clearInterval(more);
      left.resolve();
    });
  });
  await expect(answerText(answer, 10_000)).rejects.toThrow(UnreadableAnswer);
  await left.promise;
});

test("an answer that says itself that it is too long is left unread", async () => {
  const left = Promise.withResolvers<void>();
  const answer = await answerOf((_, response) => {
    response.writeHead(200, { "content-length": "20000" }).write("x");
    response.on("close", () => left.resolve());
  });
  await expect(answerText(answer, 10_000)).rejects.toThrow(UnreadableAnswer);
  await left.promise;
});

test.for([Buffer.from("Tõnu", "latin1"), Buffer.from("Tõ").subarray(0, 2)])(
  "an answer that is not in UTF-8 is none, also when it ends in a letter: %s",
  async (bytes) => {
    const answer = await answerOf((_, response) => response.end(bytes));
    await expect(answerText(answer, 100)).rejects.toThrow(UnreadableAnswer);
  },
);
