import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Accesses } from "../../src/call/accesses.ts";
import { underCall } from "../../src/call/current-call.ts";
import people from "../../src/sandbox/people.json" with { type: "json" };
import { startRegisters } from "./adapters.ts";
import { failureOf, GrpcStatus, issueCodes } from "./register-failures.ts";
import { startStandIn } from "./register-stand-in.ts";

const [{ personalCode } = { personalCode: "" }] = people.people;
const asked = { personalCode, noCache: true };
/** After so long a register that does not answer is tried again. */
const HALF_OPEN_MS = 1_000;

let running: Awaited<ReturnType<typeof startRegisters>>;

beforeAll(async () => {
  running = await startRegisters();
});

afterEach(async () => {
  await running.control.heal();
});

afterAll(async () => {
  await running.stop();
});

const RR_CODES = "10175 10035 10001 10002 10003 10004 10005 10900 10022 L027 L068 L069 L077".split(" ");
const TOR_CODES = "50 51 57 58 59 60 61 63 68 69 70 71 100".split(" ");

describe("the adapter of the population register", () => {
  it("answers with the person", async () => {
    const person = await running.registers.population.readPerson(asked);
    expect(person).toMatchObject({ personalCode, familyName: people.people[0]?.familyName });
  });

  it.for(RR_CODES)("mirrors code %s behind XRR200", async (code) => {
    await running.control.fail({ register: "rr", code, message: `Sõnum ${code}`, times: 1 });
    const failure = await failureOf(running.registers.population.readPerson(asked));
    expect(issueCodes(failure)).toEqual(["XRR200", code]);
    expect(failure.status).toBe(GrpcStatus.UNKNOWN);
    expect(failure.issues[0]).toMatchObject({ text: expect.stringContaining(`${code} - Sõnum ${code}`) });
  });

  it.for(["10027", "V10580"])("says XRR300 for code %s", async (code) => {
    await running.control.fail({ register: "rr", code, times: 1 });
    const failure = await failureOf(running.registers.population.readPerson(asked));
    expect(issueCodes(failure)).toEqual(["XRR300", code]);
  });

  it("takes a code of the register without the blanks round it, which no code of FHIR has", async () => {
    await running.control.fail({ register: "rr", code: "10027 ", times: 1 });
    const failure = await failureOf(running.registers.population.readPerson(asked));
    expect(issueCodes(failure)).toEqual(["XRR300", "10027"]);
    await running.control.fail({ register: "rr", code: " ", message: "Ei saa", times: 1 });
    expect(issueCodes(await failureOf(running.registers.population.readPerson(asked)))).toEqual(["XRR200"]);
  });

  it("finds a person absent whom the register does not know", async () => {
    const failure = await failureOf(
      running.registers.population.readPerson({ personalCode: "60001019906", noCache: false }),
    );
    expect(issueCodes(failure)).toEqual(["XRR300", "10027"]);
  });

  it("says XRR200 alone for an error of the exchange layer", async () => {
    const exchange = { type: "Server.ServerProxy.NetworkError", message: "Võrgu viga" };
    await running.control.fail({ register: "rr", exchange, times: 1 });
    const failure = await failureOf(running.registers.population.readPerson(asked));
    expect(issueCodes(failure)).toEqual(["XRR200"]);
    expect(failure.issues[0]).toMatchObject({
      text: expect.stringContaining("Server.ServerProxy.NetworkError"),
    });
  });

  it.for(["", "<html>Bad gateway</html>", "{}", "[]"])(
    "says the same for one whose body is no word of it: %j",
    async (body) => {
      const standIn = await startStandIn();
      const cutOff = await startRegisters(standIn.addresses);
      try {
        standIn.isCutOff("Server.ServerProxy.IOError", body);
        const failure = await failureOf(cutOff.registers.population.readPerson(asked));
        expect(issueCodes(failure)).toEqual(["XRR200"]);
        expect(failure.issues[0]).toMatchObject({
          text: expect.stringContaining("Server.ServerProxy.IOError"),
        });
        expect(standIn.asked()).toBe(1);
      } finally {
        await cutOff.stop();
        await standIn.stop();
      }
    },
  );

  it("says XRR100 and UNKNOWN for garbage", async () => {
    await running.control.fail({ register: "rr", garbage: true });
    const failure = await failureOf(running.registers.population.readPerson(asked));
    expect(issueCodes(failure)).toEqual(["XRR100"]);
    expect(failure.status).toBe(GrpcStatus.UNKNOWN);
  });

  it("asks again when a connection was dropped", async () => {
    await running.control.fail({ register: "rr", drop: true, times: 1 });
    await expect(running.registers.population.readPerson(asked)).resolves.toMatchObject({ personalCode });
  });

  it("passes on who asks, under which id and why", async () => {
    const headers = new Headers({
      "x-road-client": "EE/GOV/70000001/hospital",
      "x-road-userid": "EE37002010019",
      "x-road-issue": "visit 12",
    });
    expect(await headersOfQuestion("request-7", headers)).toEqual({
      "x-road-client": "EE/GOV/70000001/hospital",
      "x-road-id": "request-7",
      "x-road-userid": "EE37002010019",
      "x-road-issue": "visit 12",
    });
  });

  it("asks as itself for whoever names no client, or two", async () => {
    const headers = new Headers([
      ["x-road-client", "EE/GOV/70000001/hospital"],
      ["x-road-client", "EE/GOV/70000002/other"],
      ["cache-control", "no-cache"],
    ]);
    expect(await headersOfQuestion("request-8", headers)).toMatchObject({
      "x-road-client": "EE/GOV/70009770/mpi",
    });
  });

  it("keeps an answer until it is asked anew, and no error", async () => {
    const other = people.people[1]?.personalCode ?? "";
    const { population } = running.registers;
    await running.control.forgetCalls();
    await running.control.fail({ register: "rr", code: "10035", times: 1 });
    await failureOf(population.readPerson({ personalCode: other, noCache: false }));
    await population.readPerson({ personalCode: other, noCache: false });
    await population.readPerson({ personalCode: other, noCache: false });
    expect(await running.control.count("rr/person")).toBe(2);
    await population.readPerson({ personalCode: other, noCache: true });
    expect(await running.control.count("rr/person")).toBe(3);
  });

  it("asks once for 200 who ask at the same time", async () => {
    const other = people.people[2]?.personalCode ?? "";
    await running.control.forgetCalls();
    const query = { personalCode: other, noCache: false };
    await Promise.all(Array.from({ length: 200 }, () => running.registers.population.readPerson(query)));
    expect(await running.control.count("rr/person")).toBe(1);
  });
});

describe("the adapter of the employment register", () => {
  it.for(TOR_CODES)("mirrors code %s behind XR_TOR-100", async (code) => {
    await running.control.fail({ register: "tor", code, times: 1 });
    const failure = await failureOf(running.registers.employment.listJobs(asked));
    expect(issueCodes(failure)).toEqual(["XR_TOR-100", code]);
  });
});

describe("the other adapters", () => {
  it("have codes of their own for an error of the register and for none at all", async () => {
    const { socialInsurance, unemployment, addresses } = running.registers;
    const ask = {
      ska: () => socialInsurance.listDisabilities(asked),
      tk: () => unemployment.listWorkCapacities(asked),
      ads: () => addresses.findAddresses({ text: "Riia tn 12" }),
    };
    const codes: Record<string, string[][]> = {};
    for (const register of ["ska", "tk", "ads"] as const) {
      await running.control.fail({ register, code: "7", message: "no", times: 1 });
      const refused = issueCodes(await failureOf(ask[register]()));
      await running.control.fail({ register, garbage: true });
      const silent = issueCodes(await failureOf(ask[register]()));
      codes[register] = [refused, silent];
    }
    expect(codes).toEqual({
      ska: [["XSKA200", "7"], ["XSKA100"]],
      tk: [["XTK200", "7"], ["XTK100"]],
      ads: [["XR_ADS-100", "7"], ["XR_ADS-001"]],
    });
  });

  it("say that there is no address of an adr-id", async () => {
    const failure = await failureOf(running.registers.addresses.findAddresses({ adrId: "1" }));
    expect(issueCodes(failure)).toEqual(["XR_ADS-404"]);
  });

  it("tell WM, once however often it is told, and take back", async () => {
    const notice = linkNotice("n-1");
    const signal = AbortSignal.timeout(60_000);
    await running.registers.linkage.notify(notice, signal);
    await running.registers.linkage.notify(notice, signal);
    const { linkages } = await running.control.sent();
    expect(linkages).toEqual([
      {
        notificationId: "n-1",
        kind: "LINKAGE_KIND_LINK",
        sourceId: "2",
        targetId: "1",
        at: "2026-11-21T10:00:00Z",
      },
    ]);
    await running.registers.linkage.takeBack("n-1", signal);
    expect((await running.control.sent()).linkages).toEqual([]);
  });

  it("take back what has not come yet: WM does not take it for a link when it comes", async () => {
    const notice = linkNotice("n-3");
    const signal = AbortSignal.timeout(60_000);
    await running.registers.linkage.takeBack("n-3", signal);
    await running.registers.linkage.notify(notice, signal);
    expect((await running.control.sent()).linkages).toEqual([]);
  });

  it("tell WM nothing more once nobody waits for it: it may have been taken back by then", async () => {
    await running.control.forgetCalls();
    await running.control.fail({ register: "wm", delayMs: 60_000, drop: true });
    const waiting = new AbortController();
    const told = running.registers.linkage.notify(linkNotice("n-4"), waiting.signal);
    await expect.poll(() => running.control.count("wm/linkages")).toBe(1);
    waiting.abort(new Error("Nobody waits for it."));
    await expect(told).rejects.toThrow();
    await running.control.heal();
    // Longer than it would take to try three times.
    await sleep(1_000);
    expect(await running.control.count("wm/linkages")).toBe(1);
  });

  it("take back what WM was told although nobody is sent there any more: it may have been taken", async () => {
    const one = await startRegisters({});
    const signal = AbortSignal.timeout(60_000);
    const tell = () => one.registers.linkage.notify(linkNotice("n-5"), signal);
    // The circuit stays as it is while its clock stands still.
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      await one.control.fail({ register: "wm", service: "linkages", drop: true });
      for (let call = 0; call < 3; call++) await expect(tell()).rejects.toThrow("WM_NOTIFICATION_FAILED");
      await one.control.forgetCalls();
      await expect(tell()).rejects.toThrow("WM_NOTIFICATION_FAILED");
      expect(await one.control.count("wm/linkages")).toBe(0);
      await one.registers.linkage.takeBack("n-5", signal);
      expect(await one.control.count("wm/retractions")).toBe(1);
    } finally {
      vi.useRealTimers();
      await one.stop();
    }
  });

  it("say MPI-039 when WM cannot be told", async () => {
    await running.control.fail({ register: "wm", code: "X", message: "no" });
    const notice = linkNotice("n-2");
    await expect(running.registers.linkage.notify(notice, AbortSignal.timeout(60_000))).rejects.toThrow(
      "WM_NOTIFICATION_FAILED",
    );
  });
});

describe("a register that is away", () => {
  it("is asked no more once nobody has listened for a while, until it is tried again", async () => {
    const port = await freePort();
    const away = await startRegisters({ rr: `http://127.0.0.1:${port}/r1/EE/GOV/70000001/rr` });
    // The circuit has only the clock that the test turns.
    vi.useFakeTimers({ toFake: ["performance"] });
    let asks = 0;
    const listening = createServer((socket) => {
      asks += 1;
      socket.destroy();
    });
    try {
      const ask = () => failureOf(away.registers.population.readPerson(asked));
      for (let call = 0; call < 3; call++) {
        const failure = await ask();
        expect(issueCodes(failure)).toEqual(["XRR100"]);
        expect(failure.status).toBe(GrpcStatus.UNAVAILABLE);
      }
      await once(listening.listen(port, "127.0.0.1"), "listening");
      expect(issueCodes(await ask())).toEqual(["XRR100"]);
      expect(asks).toBe(0);
      await expect(away.registers.employment.listJobs(asked)).resolves.toBeDefined();
      vi.advanceTimersByTime(HALF_OPEN_MS);
      await ask();
      expect(asks).toBeGreaterThan(0);
    } finally {
      vi.useRealTimers();
      await away.stop();
      listening.close();
    }
  });

  it("fails within its time when the register hangs, while others answer", async () => {
    const slow = await startRegisters({}, 2_000);
    try {
      await slow.control.fail({ register: "rr", delayMs: 60_000 });
      const [failure] = await Promise.all([
        failureOf(slow.registers.population.readPerson(asked)),
        slow.registers.employment.listJobs(asked),
      ]);
      expect(issueCodes(failure)).toEqual(["XRR100"]);
      expect(failure.status).toBe(GrpcStatus.DEADLINE_EXCEEDED);
    } finally {
      await slow.stop();
    }
  });

  it("is not taken for one that is away, however often it says no between", async () => {
    const one = await startRegisters();
    try {
      for (let round = 0; round < 6; round++) {
        await one.control.fail({ register: "rr", drop: true, times: 2 });
        await one.control.fail({ register: "rr", code: "10035", times: 1 });
        const failure = await failureOf(one.registers.population.readPerson(asked));
        expect(issueCodes(failure)).toEqual(["XRR200", "10035"]);
      }
    } finally {
      await one.stop();
    }
  });

  it("answers again once the circuit has been tried", async () => {
    const one = await startRegisters();
    try {
      await one.control.fail({ register: "rr", drop: true });
      for (let call = 0; call < 4; call++) await failureOf(one.registers.population.readPerson(asked));
      await one.control.heal();
      await expect
        .poll(() => one.registers.population.readPerson(asked).catch(() => undefined))
        .toMatchObject({ personalCode });
    } finally {
      await one.stop();
    }
  });
});

/** The headers by which a register is asked for a call with these headers. */
async function headersOfQuestion(requestId: string, headers: Headers): Promise<Record<string, string>> {
  await running.control.forgetCalls();
  await underCall(
    {
      headers,
      requestId,
      method: "PatientService/ReadPatient",
      version: "1.5.0",
      deadline: undefined,
      caller: undefined,
      accesses: new Accesses(),
    },
    () => running.registers.population.readPerson(asked),
  );
  const { calls } = await running.control.calls();
  return calls.at(-1).headers;
}

function linkNotice(id: string) {
  const at = "2026-11-21T10:00:00.000Z";
  return { id, kind: "link", secondaryId: "2", primaryId: "1", at } as const;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
