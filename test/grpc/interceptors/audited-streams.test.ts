import { createClient } from "@connectrpc/connect";
import { pino } from "pino";
import { expect, it } from "vitest";
import { createInProcessTransport } from "../../../gateway/transport/in-process/in-process.ts";
import type { AuditEntry } from "../../../src/audit/index.ts";
import { currentCall } from "../../../src/call/current-call.ts";
import { defaultErrorSystems, MpiError } from "../../../src/errors/index.ts";
import { callContextOf, keepCallContext } from "../../../src/grpc/calls/call-context.ts";
import {
  audited,
  type Interceptor,
  intercept,
  standardInterceptors,
} from "../../../src/grpc/interceptors/index.ts";
import { callerWith } from "../../access/callers.ts";
import { type Echo, EchoService } from "../echo-service.ts";
import { rejectionOf } from "../refusals.ts";

const known: Interceptor = (call, next) => {
  keepCallContext(call.context, { ...callContextOf(call.context), caller: callerWith({ role: "doctor" }) });
  return next(call);
};

/** A service with a trail; the refusals in it, as they come. */
function audit(impl: Echo) {
  const refusals: (string | undefined)[] = [];
  const record = async (entries: readonly AuditEntry[]) => {
    refusals.push(...entries.map(({ refusal }) => refusal));
  };
  const auditing = audited({ trail: { record }, now: () => new Date(), named: () => [] });
  const standard = standardInterceptors(pino({ level: "silent" }), defaultErrorSystems);
  const options = { interceptors: [...standard, auditing, known], defaultLanguage: "en" } as const;
  const transport = createInProcessTransport([intercept(EchoService, impl, options)]);
  return { refusals, echo: createClient(EchoService, transport) };
}

/** Answers with a message whose part is refused, for each word; fails at "broken". */
const partlyRefused: Echo = {
  async *repeat({ value }) {
    for (const word of value.split(" ")) {
      if (word === "broken") throw new MpiError("PATIENT_NOT_FOUND");
      currentCall()?.accesses.noteRefusal(word);
      yield { value: word };
    }
  },
};

it("what is refused in a message of a stream is recorded before the message leaves, and once", async () => {
  const { refusals, echo } = audit(partlyRefused);
  const seen: string[] = [];
  for await (const { value } of echo.repeat({ value: "one two" })) {
    seen.push(value);
    expect(refusals).toEqual(seen);
  }
  expect(refusals).toEqual(["one", "two"]);
});

it("so it is in a stream that breaks, whose end is recorded too", async () => {
  const { refusals, echo } = audit(partlyRefused);
  await rejectionOf(Array.fromAsync(echo.repeat({ value: "one broken" })));
  expect(refusals).toEqual(["one", expect.stringContaining("PATIENT_NOT_FOUND")]);
});

it("a caller who is known leaves an entry also of a call that is one too many", async () => {
  const { refusals, echo } = audit({
    say: () => {
      throw new MpiError("TOO_MANY_REQUESTS", { seconds: "1" });
    },
  });
  await rejectionOf(echo.say({}));
  expect(refusals).toEqual([expect.stringContaining("TOO_MANY_REQUESTS")]);
});
