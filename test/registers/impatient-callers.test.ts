import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Accesses } from "../../src/call/accesses.ts";
import { underCall } from "../../src/call/current-call.ts";
import people from "../../src/sandbox/people.json" with { type: "json" };
import { startRegisters } from "./adapters.ts";
import { failureOf, GrpcStatus, issueCodes } from "./register-failures.ts";

const [{ personalCode } = { personalCode: "" }] = people.people;
const address = { text: "Riia tn 12" };

/** Time enough to ask a register, on a slow machine too. */
const IMPATIENT_MS = 1_000;
/** After so long a register that does not answer is tried again. */
const HALF_OPEN_MS = 1_000;

let running: Awaited<ReturnType<typeof startRegisters>>;

beforeAll(async () => {
  running = await startRegisters({}, 60_000);
});

afterEach(async () => {
  await running.control.heal();
});

afterAll(async () => {
  await running.stop();
});

describe("callers who wait for less time than a register takes", () => {
  it("hear that it is late, and others who ask the same get its answer", async () => {
    await running.control.fail({ register: "rr", delayMs: 60_000 });
    const ask = () => running.registers.population.readPerson({ personalCode, noCache: false });
    await running.control.forgetCalls();
    const impatient = failureOf(within(IMPATIENT_MS, ask));
    const person = ask();
    const failure = await impatient;
    expect([issueCodes(failure), failure.status]).toEqual([["XRR100"], GrpcStatus.DEADLINE_EXCEEDED]);
    await running.control.heal();
    expect(await person).toMatchObject({ personalCode });
    expect(await running.control.count("rr/person")).toBe(1);
  });

  it("do not shut it for others, however many they are", async () => {
    await running.control.fail({ register: "ads", delayMs: 60_000 });
    const { addresses } = running.registers;
    for (let call = 0; call < 10; call++) {
      const failure = await failureOf(within(60, () => addresses.findAddresses(address)));
      expect(failure.status).toBe(GrpcStatus.DEADLINE_EXCEEDED);
    }
    await running.control.heal();
    await expect(addresses.findAddresses(address)).resolves.toBeDefined();
  });

  it("do not make others wait for it again while it hangs", async () => {
    const one = await startRegisters({}, 300);
    // The circuit has only the clock that the test turns.
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      await one.control.fail({ register: "ads", delayMs: 60_000 });
      const ask = () => one.registers.addresses.findAddresses(address);
      const failures = await Promise.all(Array.from({ length: 8 }, () => failureOf(ask())));
      expect(failures.map(({ status }) => status)).toEqual(failures.map(() => GrpcStatus.DEADLINE_EXCEEDED));
      expect((await failureOf(ask())).status).toBe(GrpcStatus.UNAVAILABLE);
      vi.advanceTimersByTime(HALF_OPEN_MS);
      expect((await failureOf(within(60, ask))).status).toBe(GrpcStatus.DEADLINE_EXCEEDED);
      expect((await failureOf(ask())).status).toBe(GrpcStatus.UNAVAILABLE);
    } finally {
      vi.useRealTimers();
      await one.stop();
    }
  });
});

/** As a caller whose deadline is so many milliseconds away. */
function within<Answer>(timeoutMs: number, ask: () => Promise<Answer>): Promise<Answer> {
  const call = {
    headers: new Headers(),
    requestId: "request-8",
    method: "PatientService/CreatePatient",
    version: "1.5.0",
    deadline: Date.now() + timeoutMs,
    caller: undefined,
    accesses: new Accesses(),
  } as const;
  return underCall(call, ask);
}
