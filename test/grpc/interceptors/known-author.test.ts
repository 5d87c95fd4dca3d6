import { createClient } from "@connectrpc/connect";
import { pino } from "pino";
import { expect, it } from "vitest";
import { createInProcessTransport } from "../../../gateway/transport/in-process/in-process.ts";
import { currentCall, currentSignal } from "../../../src/call/current-call.ts";
import { defaultErrorSystems } from "../../../src/errors/index.ts";
import { callContextOf, keepCallContext } from "../../../src/grpc/calls/call-context.ts";
import { knownAuthor } from "../../../src/grpc/interceptors/guards/known-author.ts";
import { type Interceptor, intercept, standardInterceptors } from "../../../src/grpc/interceptors/index.ts";
import { CheckedAuthors } from "../../../src/registers/index.ts";
import type { PopulationRegister } from "../../../src/registers/ports.ts";
import { callerWith } from "../../access/callers.ts";
import { EchoService } from "../echo-service.ts";

const KEEP_MS = 1_000;

const known: Interceptor = (call, next) => {
  keepCallContext(call.context, { ...callContextOf(call.context), caller: callerWith({ role: "doctor" }) });
  return next(call);
};

/** What a question about an author, and the call that it is asked for, find around them. */
function surroundings() {
  return {
    cacheControl: currentCall()?.headers.get("cache-control"),
    road: currentCall()?.headers.get("x-road-id"),
    hasEnd: currentSignal() !== undefined,
    hasDeadline: currentCall()?.deadline !== undefined,
  };
}

it("the author of a call is asked for in its name, by kept answers, and again later for nobody in particular", async () => {
  const asked: ReturnType<typeof surroundings>[] = [];
  let clock = 0;
  const readPerson = async () => {
    asked.push(surroundings());
    return {};
  };
  const authors = new CheckedAuthors({
    population: { readPerson } as unknown as PopulationRegister,
    anonymousCode: "00000000000",
    keepMs: KEEP_MS,
    now: () => clock,
    onFailure: (error) => {
      throw error;
    },
  });
  const calls: ReturnType<typeof surroundings>[] = [];
  const say = () => {
    calls.push(surroundings());
    return {};
  };
  const standard = standardInterceptors(pino({ level: "silent" }), defaultErrorSystems);
  const options = {
    interceptors: [...standard, known, knownAuthor(authors)],
    defaultLanguage: "en",
  } as const;
  const echo = createClient(
    EchoService,
    createInProcessTransport([intercept(EchoService, { say }, options)]),
  );
  const headers = { "cache-control": "no-cache", "x-road-id": "road-1" };
  await echo.say({}, { headers, timeoutMs: 60_000 });
  clock = KEEP_MS;
  await echo.say({}, { headers, timeoutMs: 60_000 });

  const inCall = { cacheControl: null, road: "road-1", hasEnd: true, hasDeadline: true };
  expect(asked).toEqual([inCall, { ...inCall, hasEnd: false, hasDeadline: false }]);
  expect(calls).toEqual(Array(2).fill({ ...inCall, cacheControl: "no-cache" }));
});
