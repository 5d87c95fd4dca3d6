import type { Server, Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { GatewaySetting } from "../exchange/setting.ts";
import { answerSlowRequest } from "../outcome/unread-request.ts";
import { ArrivingBodies } from "./arriving-bodies.ts";
import { healthPaths } from "./health.ts";
import { restraint } from "./restraint.ts";
import { turningAway } from "./turning-away.ts";

const alwaysTold: ReadonlySet<string> = new Set(Object.keys(healthPaths));

/**
 * Answers 429, before a body is read, while so many requests are being worked on: those keep their pace. One whose body is
 * slow to come makes room for others: there is nothing to work on yet. Health is always told. Answers with how to see
 * how many they are.
 */
export function limitInFlight(server: FastifyInstance, most: number, setting: GatewaySetting): () => number {
  const turnAway = turningAway(setting);
  const restrain = restraint();
  const arriving = new ArrivingBodies((socket) => answerSlowRequest(socket, wordsOf(setting)));
  let running = 0;
  server.addHook("onRequest", (request, reply, proceed) => {
    if (alwaysTold.has(request.url)) return proceed();
    if (running >= most && !arriving.giveUpSlowest()) {
      turnAway(request, reply);
      restrain(request.raw.socket);
      return;
    }
    running += 1;
    const end = once(() => {
      running -= 1;
    });
    reply.raw.once("close", end);
    arriving.add(request.raw, end);
    proceed();
  });
  return () => running;
}

function wordsOf({ defaultLanguage, errorSystems }: GatewaySetting) {
  return { language: defaultLanguage, systems: errorSystems };
}

function once(end: () => void): () => void {
  let isOver = false;
  return () => {
    if (!isOver) end();
    isOver = true;
  };
}

/** Hangs up on clients that do not take their answer: no byte of it has moved for so long, in milliseconds. */
export function hangUpOnStalled(server: Server & { setTimeout(ms: number): unknown }, stallMs: number): void {
  server.setTimeout(stallMs);
  server.on("timeout", (socket: Socket) => {
    // A socket that waits for us has nothing unsent.
    if (socket.writableLength > 0) socket.destroy();
  });
}
