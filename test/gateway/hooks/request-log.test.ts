import { fastify } from "fastify";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { logRequests } from "../../../gateway/hooks/request-log.ts";

const SECOND_MS = 1_000;

let lines: Record<string, unknown>[];

beforeEach(() => {
  lines = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A server that answers a path with the status that it names. */
function serverWithLog(level: string) {
  const server = fastify();
  const write = (line: string) => void lines.push(JSON.parse(line));
  logRequests(server, pino({ level, base: null, timestamp: false }, { write }));
  server.get("/answer/:status", ({ params }, reply) => {
    reply.code(Number((params as { status: string }).status)).send("done");
  });
  return { server, ask: (path: string) => server.inject(path) };
}

describe("a line of the log", () => {
  it("is written of each request that was refused, by the pattern of its route and never by its URL", async () => {
    const { ask } = serverWithLog("info");
    await ask("/answer/404?identifier=38001085718");
    await ask("/38001085718");
    await ask("/answer/200");
    const of = (route: string) => ({ level: 30, method: "GET", route, status: 404, msg: "request answered" });
    expect(lines).toEqual([
      { ...of("/answer/:status"), requestId: expect.any(String), ms: expect.any(Number) },
      { ...of("none"), requestId: expect.any(String), ms: expect.any(Number) },
    ]);
  });

  it("is written of those that were served at debug only", async () => {
    const { ask } = serverWithLog("debug");
    await ask("/answer/200");
    await ask("/answer/302");
    await ask("/answer/400");
    expect(lines.map(({ level, status }) => [level, status])).toEqual([
      [20, 200],
      [20, 302],
      [30, 400],
    ]);
  });

  it("stands for all those of a second who were told to come back", async () => {
    const { ask } = serverWithLog("debug");
    for (let n = 0; n < 3; n++) await ask("/answer/429");
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(SECOND_MS);
    await ask("/answer/429");
    vi.advanceTimersByTime(SECOND_MS);
    const turnedAway = { level: 30, status: 429, msg: "requests turned away" };
    expect(lines).toEqual([
      { ...turnedAway, requests: 3 },
      { ...turnedAway, requests: 1 },
    ]);
  });

  it("is written of the last of them when the server closes, and of none where there were none", async () => {
    const { server, ask } = serverWithLog("info");
    await ask("/answer/429");
    await server.close();
    expect(lines.map(({ requests }) => requests)).toEqual([1]);
    await serverWithLog("info").server.close();
    expect(lines).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
