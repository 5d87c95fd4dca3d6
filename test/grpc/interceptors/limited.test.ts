import { Code, createClient } from "@connectrpc/connect";
import { pino } from "pino";
import { afterEach, expect, test, vi } from "vitest";
import { createInProcessTransport } from "../../../gateway/transport/in-process/in-process.ts";
import { defaultErrorSystems } from "../../../src/errors/index.ts";
import { limitUnknown } from "../../../src/grpc/interceptors/guards/limited.ts";
import { intercept, limitInFlight, standardInterceptors } from "../../../src/grpc/interceptors/index.ts";
import { type Echo, EchoService } from "../echo-service.ts";
import { rejectionOf } from "../refusals.ts";

afterEach(() => vi.useRealTimers());

/** A service that works on one call at a time. */
function echoOf(impl: Echo) {
  const log = pino({ level: "silent" });
  const interceptors = [...standardInterceptors(log, defaultErrorSystems), limitInFlight(1)];
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

test("who sends too much is told to come back in a second, whatever becomes of the clock", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const ofOneASecond = limitUnknown(10);
  await ofOneASecond();

  vi.setSystemTime(Date.now() - 86_400_000);

  await expect(ofOneASecond()).rejects.toMatchObject({ issues: [{ parameters: { seconds: "1" } }] });
});
