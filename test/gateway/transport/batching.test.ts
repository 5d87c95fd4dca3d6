import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError, createClient, type ServiceImpl } from "@connectrpc/connect";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { CallBatchService } from "#proto/patientindex/v1/call_batch_service_pb.ts";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { createRemoteTransport } from "../../../gateway/transport/remote/remote.ts";
import { defaultErrorSystems, MpiError } from "../../../src/errors/index.ts";
import { callContextOf } from "../../../src/grpc/calls/call-context.ts";
import { intercept, standardInterceptors } from "../../../src/grpc/interceptors/index.ts";
import { callBatchService } from "../../../src/grpc/services/call-batch-service.ts";
import { rejectionOf } from "../../grpc/refusals.ts";
import { abortOf } from "./contract/way.ts";
import { linkTo } from "./link.ts";
import { startCore } from "./ways.ts";

type Patients = Partial<ServiceImpl<typeof PatientService>>;

const log = pino({ level: "silent" });
const chain = {
  interceptors: standardInterceptors(log, defaultErrorSystems),
  defaultLanguage: "en",
} as const;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A core with that implementation, a client whose calls are gathered, and how many calls of each batch arrived. */
async function apart(impl: Patients, { knowsBatches = true } = {}) {
  const batches: number[] = [];
  const patients = intercept(PatientService, impl, chain);
  const { makeCalls } = callBatchService([patients], defaultErrorSystems);
  const counted: ServiceImpl<typeof CallBatchService> = {
    makeCalls: (request, context) => {
      batches.push(request.calls.length);
      return makeCalls(request, context);
    },
  };
  const services = knowsBatches ? [patients, intercept(CallBatchService, counted, chain)] : [patients];
  const core = await startCore(services);
  const link = await linkTo(core.port);
  const transport = createRemoteTransport({ target: `127.0.0.1:${link.port}`, gatherCalls: true });
  ends.push(() => core.stop(0));
  ends.push(() => link.close());
  ends.push(() => transport.close());
  return { client: createClient(PatientService, transport), batches, link };
}

/** Answers with the id that was asked for. */
const echoing: Patients = { readPatient: ({ id }) => ({ patient: { id } }) };

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, at) => String(at + 1));
}

/** A moment in which what was sent has long arrived. */
const MOMENT = 150;

describe("calls that are made in the same turn", () => {
  test("go as one, and each has its own answer", async () => {
    const { client, batches } = await apart(echoing);
    const found = await Promise.all(numbers(40).map((id) => client.readPatient({ id })));
    expect(found.map(({ patient }) => patient?.id)).toEqual(numbers(40));
    expect(batches).toEqual([40]);
  });

  test("go as several where they are more than a core takes", async () => {
    const { client, batches } = await apart(echoing);
    const found = await Promise.all(numbers(201).map((id) => client.readPatient({ id })));
    expect(found.map(({ patient }) => patient?.id)).toEqual(numbers(201));
    expect(batches).toEqual([100, 100]);
  });

  test("go together with searches by an identifier, and with no others", async () => {
    const { client, batches } = await apart({
      ...echoing,
      searchPatients: ({ parameters }) => ({ patients: [{ id: parameters[0]?.value ?? "" }] }),
    });
    const search = (name: string) => client.searchPatients({ parameters: [{ name, value: name }] });
    const answers = await Promise.all([
      client.readPatient({ id: "1" }),
      search("identifier"),
      search("family"),
      client.searchPatients({ parameters: [{ name: "identifier", value: "9".repeat(5_000) }] }),
      client.searchPatients({
        parameters: [
          { name: "identifier", value: "one" },
          { name: "family", value: "more" },
        ],
      }),
    ]);
    expect(answers[0].patient?.id).toBe("1");
    expect(answers.slice(1).map((answer) => "patients" in answer && answer.patients[0]?.id?.length)).toEqual([
      "identifier".length,
      "family".length,
      5_000,
      "one".length,
    ]);
    expect(batches).toEqual([2]);
  });

  test("go alone with metadata that would fill a message", async () => {
    const { client, batches } = await apart(echoing);
    const headers = { tracestate: "x".repeat(25_000) };
    const found = await Promise.all([
      client.readPatient({ id: "long" }, { headers }),
      ...numbers(2).map((id) => client.readPatient({ id })),
    ]);
    expect(found.map(({ patient }) => patient?.id)).toEqual(["long", "1", "2"]);
    expect(batches).toEqual([2]);
  });

  test("have their own metadata, there and back", async () => {
    const { client } = await apart({
      readPatient: (_, context) => {
        const { version, language, requestId } = callContextOf(context);
        context.responseHeader.set("x-first", requestId);
        context.responseTrailer.set("x-last", requestId);
        return { patient: { id: `${version} ${language} ${requestId}` } };
      },
    });
    const seen: (string | null)[] = [];
    const call = (version: string, language: string, id: string) =>
      client.readPatient(
        {},
        {
          headers: { "x-mpi-version": version, "accept-language": language, "x-road-id": id },
          onHeader: (header) => seen.push(header.get("x-first")),
          onTrailer: (trailer) => seen.push(trailer.get("x-last")),
        },
      );
    const found = await Promise.all([call("1.1.1", "et", "A"), call("1.5.0", "en", "B")]);
    expect(found.map(({ patient }) => patient?.id)).toEqual(["1.1.1 et A", "1.5.0 en B"]);
    expect(seen).toEqual(["A", "A", "B", "B"]);
  });

  test("are refused each by itself, as if they had come alone", async () => {
    const { client, batches } = await apart({
      readPatient: ({ id }) => {
        if (id === "1") throw new MpiError("TOKEN_MISSING");
        if (id === "2") throw new Error("person 38001085718");
        if (id === "3") throw new MpiError("PATIENT_RESOURCE_NOT_FOUND", { id: "3" });
        return { patient: { id } };
      },
    });
    const shown = async (call: Promise<unknown>) => {
      const { code, rawMessage, metadata, details } = ConnectError.from(
        await call.then(
          () => undefined,
          (error: unknown) => error,
        ),
      );
      return { code, rawMessage, challenge: metadata.get("www-authenticate"), details };
    };
    const ids = ["1", "2", "3"];
    const together = await Promise.all(ids.map((id) => shown(client.readPatient({ id }))));
    expect(batches).toEqual([3]);
    expect(together.map(({ code }) => code)).toEqual([Code.Unauthenticated, Code.Internal, Code.NotFound]);
    expect(together[0]?.challenge).toBe('Bearer realm="patient-index"');
    expect(JSON.stringify(together)).not.toContain("38001085718");
    for (const [at, id] of ids.entries()) {
      expect(await shown(client.readPatient({ id }))).toEqual(together[at]);
    }
    expect(batches).toEqual([3]);
  });

  test("are refused in the language of each", async () => {
    const { client } = await apart({ readPatient: () => Promise.reject(new MpiError("TOKEN_MISSING")) });
    const errors = await Promise.all(
      ["et", "en"].map((language) =>
        rejectionOf(client.readPatient({}, { headers: { "accept-language": language } })),
      ),
    );
    const texts = errors.map((error) => error.findDetails(ErrorDetailsSchema)[0]?.issues[0]?.text);
    expect(texts).toEqual(["FHIR-serveri üldine viga.", "General error of the FHIR server."]);
  });
});

test("a call that is made alone goes as it is", async () => {
  const { client, batches } = await apart(echoing);
  for (const id of numbers(3)) expect((await client.readPatient({ id })).patient?.id).toBe(id);
  expect(batches).toEqual([]);
});

describe("within a batch", () => {
  test("nobody waits for a slow call but its caller", async () => {
    const release = Promise.withResolvers<void>();
    const { client, batches } = await apart({
      readPatient: async ({ id }) => {
        if (id === "slow") await release.promise;
        return { patient: { id } };
      },
    });
    const slow = client.readPatient({ id: "slow" });
    const quick = await Promise.all(numbers(5).map((id) => client.readPatient({ id })));
    expect(quick).toHaveLength(5);
    release.resolve();
    expect((await slow).patient?.id).toBe("slow");
    expect(batches).toEqual([6]);
  });

  test("each call has its own deadline, which the core knows", async () => {
    const aborted: string[] = [];
    const left: (number | undefined)[] = [];
    const { client, batches } = await apart({
      readPatient: async ({ id }, context) => {
        left.push(context.timeoutMs());
        if (id === "3") return { patient: { id } };
        await abortOf(context);
        aborted.push(id);
        throw context.signal.reason;
      },
    });
    const call = (id: string, timeoutMs?: number) =>
      client.readPatient({ id }, timeoutMs === undefined ? {} : { timeoutMs });
    const [first, second, third] = await Promise.allSettled([call("1", 2_000), call("2", 5_000), call("3")]);
    expect([first, second].map((one) => one.status === "rejected" && one.reason.code)).toEqual([
      Code.DeadlineExceeded,
      Code.DeadlineExceeded,
    ]);
    expect(third.status).toBe("fulfilled");
    await expect.poll(() => aborted).toEqual(["1", "2"]);
    expect(left[0]).toBeLessThanOrEqual(2_000);
    expect(left[1]).toBeGreaterThan(2_000);
    expect(left[2]).toBeUndefined();
    expect(batches).toEqual([3]);
  });

  test("a caller who hangs up has his end at once, and the others their answers", async () => {
    const release = Promise.withResolvers<void>();
    const { client } = await apart({
      readPatient: async ({ id }) => {
        await release.promise;
        return { patient: { id } };
      },
    });
    const controller = new AbortController();
    const left = rejectionOf(client.readPatient({ id: "1" }, { signal: controller.signal }));
    const others = Promise.all(numbers(3).map((id) => client.readPatient({ id })));
    await sleep(MOMENT);
    controller.abort();
    expect((await left).code).toBe(Code.Canceled);
    release.resolve();
    expect((await others).map(({ patient }) => patient?.id)).toEqual(numbers(3));
  });

  test("the core stops when all have hung up", async () => {
    const stopped: string[] = [];
    const { client, batches } = await apart({
      readPatient: async ({ id }, context) => {
        await abortOf(context);
        stopped.push(id);
        throw context.signal.reason;
      },
    });
    const controller = new AbortController();
    const { signal } = controller;
    const calls = numbers(3).map((id) => rejectionOf(client.readPatient({ id }, { signal })));
    await expect.poll(() => batches).toEqual([3]);
    controller.abort();
    expect((await Promise.all(calls)).map(({ code }) => code)).toEqual(Array(3).fill(Code.Canceled));
    await expect.poll(() => stopped.toSorted()).toEqual(numbers(3));
  });

  test("who has hung up before it was sent is not asked for", async () => {
    const asked: string[] = [];
    const { client } = await apart({
      readPatient: ({ id }) => {
        asked.push(id);
        return { patient: { id } };
      },
    });
    const signal = AbortSignal.abort();
    const left = rejectionOf(client.readPatient({ id: "left" }, { signal }));
    await Promise.all(numbers(2).map((id) => client.readPatient({ id })));
    expect((await left).code).toBe(Code.Canceled);
    expect(asked).toEqual(numbers(2));
  });
});

describe("a core", () => {
  test("that goes away in the middle is unavailable to everybody who waits", async () => {
    const arrived = Promise.withResolvers<void>();
    const { client, link } = await apart({
      readPatient: async ({ id }, { signal }) => {
        if (id === "1") return { patient: { id } };
        arrived.resolve();
        await sleep(600_000, undefined, { signal });
        return {};
      },
    });
    const answered = client.readPatient({ id: "1" });
    const waiting = ["2", "3", "4"].map((id) => rejectionOf(client.readPatient({ id })));
    await arrived.promise;
    expect((await answered).patient?.id).toBe("1");
    link.cut();
    expect((await Promise.all(waiting)).map(({ code }) => code)).toEqual(Array(3).fill(Code.Unavailable));
  });

  test("that is away is unavailable to everybody at once", async () => {
    const { client, link } = await apart(echoing);
    link.close();
    const refused = await Promise.all(numbers(3).map((id) => rejectionOf(client.readPatient({ id }))));
    expect(refused.map(({ code }) => code)).toEqual(Array(3).fill(Code.Unavailable));
  });

  test("that knows no batches is asked one by one", async () => {
    const { client } = await apart(echoing, { knowsBatches: false });
    for (let time = 1; time <= 2; time += 1) {
      const found = await Promise.all(numbers(3).map((id) => client.readPatient({ id })));
      expect(found.map(({ patient }) => patient?.id)).toEqual(numbers(3));
    }
  });
});
