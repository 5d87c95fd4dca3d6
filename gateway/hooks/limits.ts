import type { Server, Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { GatewayContext } from "../exchange/gateway-context.ts";
import { readerOf } from "../outcome/failure-reader.ts";
import { answerSlowRequest } from "../outcome/unread-request.ts";
import { healthPaths } from "../routes/health.ts";
import { RequestsInFlight } from "./requests-in-flight.ts";
import { restraint } from "./restraint.ts";
import { turningAway } from "./turning-away.ts";
import { WaitingRoom } from "./waiting-room.ts";

/** With a query or a slash at its end too, as a supervisor may ask for it. */
const alwaysTold = new RegExp(`^(?:${Object.keys(healthPaths).join("|")})/?(?:\\?|$)`);

export interface InFlightLimits {
  /** Requests that are here at once; more are told to come back. */
  readonly maxInFlight: number;
  /** Those of them that are worked on at once unless the process has time left; all unless given. */
  readonly maxAtOnce?: number | undefined;
}

/**
 * Answers 429, before a body is read, while so many requests are here: those keep their pace. One that waits for a slow
 * client makes room for others: there is nothing to work on. Health is always told. Answers with how to see how many they
 * are.
 */
export function limitInFlight(
  server: FastifyInstance,
  { maxInFlight, maxAtOnce = maxInFlight }: InFlightLimits,
  gateway: GatewayContext,
): () => number {
  const turnAway = turningAway(gateway);
  const restrain = restraint();
  const running = new RequestsInFlight((request, slow) => {
    if (slow === "body") answerSlowRequest(request.socket, readerOf(request, gateway));
    else request.socket.destroy();
  });
  const waiting = new WaitingRoom(maxAtOnce);
  server.addHook("onRequest", (request, reply, proceed) => {
    if (alwaysTold.test(request.url)) return proceed();
    if (running.size + waiting.size >= maxInFlight && !running.giveUpSlow()) {
      restrain(reply.raw);
      turnAway(request, reply);
      return;
    }
    waiting.enter(reply.raw, () => {
      running.add(request.raw, reply.raw);
      proceed();
    });
  });
  return () => running.size + waiting.size;
}

/** Hangs up on clients that do not take their answer: no byte of it has moved for so long, in milliseconds. */
export function hangUpOnStalled(server: Server & { setTimeout(ms: number): unknown }, stallMs: number): void {
  server.setTimeout(stallMs);
  server.on("timeout", (socket: Socket) => {
    // A socket that waits for us has nothing unsent.
    if (socket.writableLength > 0) socket.destroy();
  });
}
