import { Code, createClient, createContextKey, type ServiceImplSpec } from "@connectrpc/connect";
import { pino } from "pino";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createInProcessTransport } from "../../../gateway/transport/in-process/in-process.ts";
import { currentSignal } from "../../../src/call/current-call.ts";
import { defaultErrorSystems, GrpcStatus, MpiError } from "../../../src/errors/index.ts";
import { type Interceptor, intercept, standardInterceptors } from "../../../src/grpc/interceptors/index.ts";
import { type Echo, EchoService, echoSpec } from "../echo-service.ts";
import { rejectionOf } from "../refusals.ts";

let lines: Record<string, unknown>[] = [];
const log = pino({ level: "debug" }, { write: (line) => lines.push(JSON.parse(line)) });
beforeEach(() => {
  lines = [];
});

function clientOf(spec: ServiceImplSpec) {
  return createClient(EchoService, createInProcessTransport([spec]));
}

const headers = { "x-road-id": "REQ-1" };

/** Timers of a test go off when it says so. */
function holdTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

test("a call that ends well leaves one line at debug", async () => {
  await clientOf(echoSpec({ say: (request) => request }, log)).say({ value: "Mari Maasikas" }, { headers });
  expect(lines).toMatchObject([
    { level: 20, method: "test.EchoService/Say", status: "OK", requestId: "REQ-1", ms: expect.any(Number) },
  ]);
  expect(JSON.stringify(lines)).not.toContain("Maasikas");
});

test.each([
  ["with a space", "REQ 1"],
  ["given twice", "REQ-1, REQ-2"],
  ["too long", "1".repeat(201)],
])(
  "an x-road-id that can be no id, %s, gives way to the id that the gateway answers with",
  async (_what, id) => {
    const client = clientOf(echoSpec({ say: (request) => request }, log));
    await client.say({}, { headers: { "x-road-id": id, "x-request-id": "GATEWAY-1" } });
    await client.say({}, { headers: { "x-road-id": id } });
    expect(lines).toMatchObject([
      { requestId: "GATEWAY-1" },
      { requestId: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/) },
    ]);
  },
);

test("a call is known by its x-road-id, whatever else the gateway calls it", async () => {
  const client = clientOf(echoSpec({ say: (request) => request }, log));
  await client.say({}, { headers: { ...headers, "x-request-id": "GATEWAY-1" } });
  expect(lines).toMatchObject([{ requestId: "REQ-1" }]);
});

test("a version of the contract that is named by nothing is none", async () => {
  const client = clientOf(echoSpec({ say: (request) => request }, log));
  const error = await rejectionOf(client.say({}, { headers: { "x-mpi-version": "" } }));
  expect(lines).toMatchObject([{ reason: "VERSION_UNKNOWN" }]);
  expect(error.code).toBe(Code.InvalidArgument);
});

test("a method that is not served here is refused in our words", async () => {
  const error = await rejectionOf(clientOf(echoSpec({}, log)).say({}, { headers }));
  expect(error.code).toBe(Code.Unimplemented);
  expect(lines).toMatchObject([{ status: "UNIMPLEMENTED", reason: "NOT_IMPLEMENTED" }]);
});

test("a refused call leaves one line at info, with the meaning and no value", async () => {
  const refusing: Echo = {
    say: () => {
      throw new MpiError("TELECOM_SYSTEM_UNKNOWN", { system: "38001085718", allowed: "phone" });
    },
  };
  await rejectionOf(clientOf(echoSpec(refusing, log)).say({}, { headers }));
  expect(lines).toMatchObject([
    { level: 30, requestId: "REQ-1", status: "INVALID_ARGUMENT", reason: "TELECOM_SYSTEM_UNKNOWN" },
  ]);
  expect(JSON.stringify(lines)).not.toContain("38001085718");
});

test("an unexpected error is logged once with its chain of causes, and with none of their messages", async () => {
  const database = Object.assign(new Error("Key (code)=(38001085718) exists"), { code: "23505" });
  const crashing: Echo = {
    say: () => Promise.reject(new TypeError("no 38001085718\nat all", { cause: database })),
  };
  await rejectionOf(clientOf(echoSpec(crashing, log)).say({}, { headers }));
  const failures = lines.filter((line) => line["level"] === 50);
  expect(failures).toMatchObject([
    {
      requestId: "REQ-1",
      method: "test.EchoService/Say",
      causes: [{ message: "INTERNAL_ERROR" }, { name: "TypeError" }, { name: "Error", code: "23505" }],
    },
  ]);
  expect(JSON.stringify(failures)).toContain("interceptors.test.ts");
  expect(JSON.stringify(lines)).not.toContain("38001085718");
});

test("of the calls that an outage fails one is logged with its causes, and the others are counted", async () => {
  holdTimers();
  const away: Echo = {
    say: () => Promise.reject(new MpiError("SERVICE_UNAVAILABLE", {}, { cause: new Error("gone") })),
  };
  const client = clientOf(echoSpec(away, log));
  for (let call = 0; call < 20; call++) await rejectionOf(client.say({}, { headers }));
  const failures = () => lines.filter((line) => line["level"] === 50);
  expect(failures()).toMatchObject([{ msg: "call failed", causes: [{}, { name: "Error" }] }]);
  vi.advanceTimersByTime(1_000);
  expect(failures().slice(1)).toMatchObject([{ calls: 19 }]);
});

test("a service that stops is no outage, and what does not open any more is a failure", async () => {
  const refusing: Echo = {
    say: ({ value }) => {
      throw new MpiError(value === "stop" ? "SERVICE_STOPPING" : "INDEX_DECRYPTION_FAILED");
    },
  };
  const client = clientOf(echoSpec(refusing, log));
  await rejectionOf(client.say({ value: "stop" }, { headers }));
  expect(lines.filter((line) => line["level"] === 50)).toEqual([]);
  await rejectionOf(client.say({ value: "read" }, { headers }));
  expect(lines.filter((line) => line["level"] === 50)).toMatchObject([
    { msg: "call failed", causes: [{ message: "INDEX_DECRYPTION_FAILED" }] },
  ]);
});

test("a register, or its adapter, that cannot be reached is logged with why, beside another outage", async () => {
  holdTimers();
  const channel = Object.assign(new Error("14 UNAVAILABLE: No connection established"), {
    code: 14,
    details: "No connection established. Last error: certificate has expired",
  });
  const away: Echo = {
    say: ({ value }) => {
      const cause = new Error("person 38001085718", { cause: channel });
      if (value === "database") throw new MpiError("SERVICE_UNAVAILABLE", {}, { cause });
      throw new MpiError("RR_INTEGRATION_FAILED", {}, { cause, status: GrpcStatus.UNAVAILABLE });
    },
  };
  const client = clientOf(echoSpec(away, log));
  for (const value of ["register", "register", "database"]) {
    expect((await rejectionOf(client.say({ value }, { headers }))).code).toBe(Code.Unavailable);
  }
  const failures = lines.filter((line) => line["level"] === 50);
  const reached = { name: "Error", code: "14", reason: channel.details };
  expect(failures).toMatchObject([
    { causes: [{ message: "RR_INTEGRATION_FAILED" }, { name: "Error" }, reached] },
    { causes: [{ message: "SERVICE_UNAVAILABLE" }, { name: "Error" }, reached] },
  ]);
  expect(JSON.stringify(lines)).not.toContain("38001085718");
});

test("a stream is logged when it ends, with what ended it", async () => {
  const streaming: Echo = {
    async *repeat() {
      yield { value: "one" };
      throw new MpiError("PATIENT_NOT_FOUND");
    },
  };
  const client = clientOf(echoSpec(streaming, log));
  const all = async () => {
    for await (const _ of client.repeat({}, { headers })) expect(lines).toEqual([]);
  };
  await rejectionOf(all());
  expect(lines).toMatchObject([{ status: "NOT_FOUND", reason: "PATIENT_NOT_FOUND" }]);
});

test("a stream that its client leaves is logged as cancelled", async () => {
  const endless: Echo = {
    async *repeat() {
      for (;;) yield { value: "more" };
    },
  };
  const controller = new AbortController();
  const leaving = async () => {
    const { signal } = controller;
    for await (const _ of clientOf(echoSpec(endless, log)).repeat({}, { headers, signal }))
      controller.abort();
  };
  await rejectionOf(leaving());
  await expect.poll(() => lines).toMatchObject([{ level: 30, status: "CANCELLED" }]);
});

test("a call that was given up is logged as such, not as a failure of ours", async () => {
  const controller = new AbortController();
  const slow: Echo = {
    say: async () => {
      controller.abort();
      throw new Error("connection terminated");
    },
  };
  await rejectionOf(clientOf(echoSpec(slow, log)).say({}, { headers, signal: controller.signal }));
  await expect
    .poll(() => lines)
    .toMatchObject([{ level: 30, status: "CANCELLED", reason: "CALL_CANCELLED" }]);
});

test("a call that was given up is no outage, though its connection to the database was cut", async () => {
  const controller = new AbortController();
  const impl: Echo = {
    say: async ({ value }) => {
      if (value === "given up") controller.abort();
      throw new Error("connection terminated");
    },
  };
  const interceptors = standardInterceptors(log, defaultErrorSystems, { isOutOfReach: () => true });
  const client = clientOf(intercept(EchoService, impl, { interceptors, defaultLanguage: "et" }));
  await rejectionOf(client.say({ value: "given up" }, { headers, signal: controller.signal }));
  await expect.poll(() => lines).toMatchObject([{ level: 30, reason: "CALL_CANCELLED" }]);
  expect((await rejectionOf(client.say({}, { headers }))).code).toBe(Code.Unavailable);
});

test("interceptors run from the outside in, and can add to the context of the call", async () => {
  const caller = createContextKey("nobody");
  const known: Interceptor = (call, next) => {
    call.context.values.set(caller, "EE38001085718");
    return next(call);
  };
  const refusing: Interceptor = (call, next) => {
    if (call.context.values.get(caller) === "nobody")
      throw new MpiError("INTERACTION_NOT_ALLOWED", { interaction: "say" });
    return next(call);
  };
  const serve = (interceptors: Interceptor[]) =>
    intercept(
      EchoService,
      { say: (_, context) => ({ value: context.values.get(caller) }) },
      {
        interceptors: [...standardInterceptors(log, defaultErrorSystems), ...interceptors],
        defaultLanguage: "et",
      },
    );
  expect((await clientOf(serve([known, refusing])).say({})).value).toBe("EE38001085718");
  const error = await rejectionOf(clientOf(serve([refusing, known])).say({}));
  expect(error.rawMessage).toContain("MPI-403");
});

test("work below a method finds the signal of its call", async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const client = clientOf(
    echoSpec({
      say: async (_, context) => {
        await Promise.resolve();
        signals.push(currentSignal(), context.signal);
        return {};
      },
      async *repeat(_, context) {
        yield { value: "one" };
        await Promise.resolve();
        signals.push(currentSignal(), context.signal);
      },
    }),
  );
  await client.say({});
  for await (const _ of client.repeat({})) expect(currentSignal()).toBeUndefined();
  expect(signals).toHaveLength(4);
  expect(signals[0]).toBe(signals[1]);
  expect(signals[2]).toBe(signals[3]);
  expect(signals[2]).toBeInstanceOf(AbortSignal);
});
