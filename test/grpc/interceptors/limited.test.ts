import { Code, createClient } from "@connectrpc/connect";
import { pino } from "pino";
import { afterEach, expect, test, vi } from "vitest";
import { createInProcessTransport } from "../../../gateway/transport/in-process/in-process.ts";
import { defaultErrorSystems } from "../../../src/errors/index.ts";
import { callContextOf, keepCallContext } from "../../../src/grpc/calls/call-context.ts";
import { limitStreams, limitUnknown } from "../../../src/grpc/interceptors/guards/limited.ts";
import {
  type Interceptor,
  intercept,
  limitInFlight,
  standardInterceptors,
} from "../../../src/grpc/interceptors/index.ts";
import { callerWith } from "../../access/callers.ts";
import { type Echo, EchoService } from "../echo-service.ts";
import { rejectionOf } from "../refusals.ts";

afterEach(() => vi.useRealTimers());

/** A service that works on one call at a time, unless it is limited otherwise. */
function echoOf(impl: Echo, limits: readonly Interceptor[] = [limitInFlight(1)]) {
  const log = pino({ level: "silent" });
  const interceptors = [...standardInterceptors(log, defaultErrorSystems), ...limits];
  const spec = intercept(EchoService, impl, { interceptors, defaultLanguage: "en" });
  return createClient(EchoService, createInProcessTransport([spec]));
}

const answering: Echo = {
  say: ({ value }) => ({ value }),
  async *repeat({ value }) {
    if (value === "bad") throw new Error("broken");
    for (let n = 0; n < 3; n++) yield { value };
  },
};

test("a stream counts among the calls that run until it has ended", async () => {
  const echo = echoOf(answering);
  for await (const _ of echo.repeat({ value: "tere" })) {
    expect((await rejectionOf(echo.say({ value: "tere" }))).code).toBe(Code.ResourceExhausted);
  }
  expect((await echo.say({ value: "tere" })).value).toBe("tere");
});

test("a stream that fails, or whose reader has gone, counts no more", async () => {
  const echo = echoOf(answering);
  await rejectionOf(Array.fromAsync(echo.repeat({ value: "bad" })));
  expect((await echo.say({ value: "one" })).value).toBe("one");
  const gone = new AbortController();
  for await (const _ of echo.repeat({ value: "tere" }, { signal: gone.signal })) break;
  gone.abort();
  expect((await echo.say({ value: "two" })).value).toBe("two");
});

test("a stream whose caller had gone before it began counts no more", async () => {
  const gone = new AbortController();
  const leaving: Interceptor = async (call, next) => {
    const answer = next(call);
    gone.abort();
    return await answer;
  };
  const echo = echoOf(answering, [leaving, limitInFlight(1)]);
  await rejectionOf(Array.fromAsync(echo.repeat({ value: "tere" }, { signal: gone.signal })));
  expect((await echo.say({ value: "tere" })).value).toBe("tere");
});

test("a caller has half of the streams, and one where there is room for one alone", async () => {
  const asWhomItSays: Interceptor = (call, next) => {
    const personalCode = call.context.requestHeader.get("x-caller") ?? "";
    const caller = callerWith({ role: "doctor", personalCode });
    keepCallContext(call.context, { ...callContextOf(call.context), caller });
    return next(call);
  };
  const of = (personalCode: string) => ({ headers: { "x-caller": personalCode } });
  for (const most of [1, 2]) {
    const echo = echoOf(answering, [asWhomItSays, limitStreams(most)]);
    for await (const _ of echo.repeat({ value: "tere" }, of("one"))) {
      const second = Array.fromAsync(echo.repeat({ value: "tere" }, of("one")));
      expect((await rejectionOf(second)).code).toBe(Code.ResourceExhausted);
      expect((await echo.say({ value: "tere" }, of("one"))).value).toBe("tere");
      expect(await Array.fromAsync(echo.repeat({ value: "tere" }, of("another")))).toHaveLength(3);
    }
    expect(await Array.fromAsync(echo.repeat({ value: "tere" }, of("one")))).toHaveLength(3);
  }
});

test("of callers of whom nothing is known one is heard a second, however few one may send", async () => {
  await expect(limitUnknown(1)()).resolves.toBeUndefined();
});

test("who sends too much is told to come back in a second, whatever becomes of the clock", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const ofOneASecond = limitUnknown(10);
  await ofOneASecond();

  vi.setSystemTime(Date.now() - 86_400_000);

  await expect(ofOneASecond()).rejects.toMatchObject({ issues: [{ parameters: { seconds: "1" } }] });
});
