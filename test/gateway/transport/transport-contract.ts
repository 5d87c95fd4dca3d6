import { setTimeout as sleep } from "node:timers/promises";
import {
  Code,
  ConnectError,
  createClient,
  type HandlerContext,
  type ServiceImplSpec,
  type Transport,
} from "@connectrpc/connect";
import { afterEach, describe, expect, test } from "vitest";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { fault, MpiError } from "../../../src/errors/index.ts";
import { callContextOf } from "../../../src/grpc/call-context.ts";
import { type Echo, EchoService, echoSpec } from "../../grpc/echo-service.ts";

/** A way from a client to a service, and what ends it. */
export interface Way {
  readonly transport: Transport;
  close(): Promise<void>;
}

export interface WayTraits {
  /** HTTP/1.1 has no calls that stream both ways. */
  readonly bidirectional: boolean;
  /** How many of 400 issues arrive at least. */
  readonly issuesThatFit: number;
}

/** What holds for a client of the core, whichever way it calls. */
export function transportContract(
  name: string,
  open: (services: ServiceImplSpec[]) => Promise<Way>,
  traits: WayTraits,
): void {
  describe(`a client ${name}`, () => {
    let way: Way | undefined;
    afterEach(async () => {
      await way?.close();
      way = undefined;
    });

    async function clientOf(impl: Echo) {
      way = await open([echoSpec(impl)]);
      return createClient(EchoService, way.transport);
    }

    describe("unary calls", () => {
      test("carry a message there and back", async () => {
        const client = await clientOf({ say: ({ value }) => ({ value: `${value}, ${value}!` }) });
        expect((await client.say({ value: "tere õhtust 🌙" })).value).toBe("tere õhtust 🌙, tere õhtust 🌙!");
      });

      test("carry a message of two megabytes", async () => {
        const client = await clientOf({ say: (request) => request });
        const value = "õ".repeat(1_000_000);
        expect((await client.say({ value })).value).toBe(value);
      });

      test("carry headers in, headers and trailers out", async () => {
        const client = await clientOf({
          say: (_, context) => {
            context.responseHeader.set("x-first", "1");
            context.responseTrailer.set("x-last", "9");
            return { value: context.requestHeader.get("x-road-id") ?? "" };
          },
        });
        let header: Headers | undefined;
        let trailer: Headers | undefined;
        const answer = await client.say(
          {},
          {
            headers: { "x-road-id": "ID-7" },
            onHeader: (headers) => {
              header = headers;
            },
            onTrailer: (headers) => {
              trailer = headers;
            },
          },
        );
        expect(answer.value).toBe("ID-7");
        expect(header?.get("x-first")).toBe("1");
        expect(trailer?.get("x-last")).toBe("9");
      });

      test("tell the service how much time is left", async () => {
        const client = await clientOf({ say: (_, context) => ({ value: String(context.timeoutMs()) }) });
        const left = Number((await client.say({}, { timeoutMs: 5_000 })).value);
        expect(left).toBeGreaterThan(3_000);
        expect(left).toBeLessThanOrEqual(5_000);
        expect((await client.say({})).value).toBe("undefined");
      });

      test("end at their deadline, also when the service does not heed it", async () => {
        const client = await clientOf({
          say: async () => {
            await sleep(3_000, undefined, { ref: false });
            return {};
          },
        });
        const startedAt = Date.now();
        const error = await rejectionOf(client.say({}, { timeoutMs: 100 }));
        expect(error.code).toBe(Code.DeadlineExceeded);
        expect(Date.now() - startedAt).toBeLessThan(1_500);
      });

      test("abort the signal of the service at the deadline", async () => {
        const service = waiting();
        const client = await clientOf(service.impl);
        await rejectionOf(client.say({}, { timeoutMs: 150 }));
        expect((await service.aborted).aborted).toBe(true);
      });

      test("abort the signal of the service when the caller gives up", async () => {
        const service = waiting();
        const client = await clientOf(service.impl);
        const controller = new AbortController();
        const call = rejectionOf(client.say({}, { signal: controller.signal }));
        await service.started;
        controller.abort();
        expect((await call).code).toBe(Code.Canceled);
        expect((await service.aborted).aborted).toBe(true);
      });
    });

    describe("refused calls", () => {
      test("bring status, issues and reason", async () => {
        const client = await clientOf({
          say: () => {
            throw new MpiError("TELECOM_SYSTEM_UNKNOWN", {
              system: "carrier pigeon",
              allowed: "phone, email",
            });
          },
        });
        const error = await rejectionOf(client.say({}, { headers: { "accept-language": "en" } }));
        expect(error.code).toBe(Code.InvalidArgument);
        const [details] = error.findDetails(ErrorDetailsSchema);
        expect(details?.issues).toMatchObject([
          { code: "MPI-008", parameters: { system: "carrier pigeon", allowed: "phone, email" } },
        ]);
        expect(details?.issues[0]?.text).toContain("carrier pigeon");
        expect(error.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: "TELECOM_SYSTEM_UNKNOWN" }]);
      });

      test("name the first of hundreds of issues and count the rest", async () => {
        const client = await clientOf({ say: () => Promise.reject(fourHundredIssues()) });
        const error = await rejectionOf(client.say({}));
        expect(error.code).toBe(Code.InvalidArgument);
        const [details] = error.findDetails(ErrorDetailsSchema);
        expect(details?.issues.length).toBeGreaterThanOrEqual(traits.issuesThatFit);
        expect((details?.issues.length ?? 0) + (details?.omittedIssues ?? 0)).toBe(400);
      });

      test("show nothing of an error that nobody expected", async () => {
        const client = await clientOf({ say: () => Promise.reject(new Error("person 38001085718")) });
        const error = await rejectionOf(client.say({}));
        expect(error.code).toBe(Code.Internal);
        expect(error.message).not.toContain("38001085718");
        const [details] = error.findDetails(ErrorDetailsSchema);
        expect(details?.issues.map((issue) => issue.code)).toEqual(["MPI-001"]);
        expect(JSON.stringify(details?.issues[0]?.parameters)).not.toContain("38001085718");
      });

      test("say so when the service lacks the method", async () => {
        const client = await clientOf({});
        expect((await rejectionOf(client.say({}))).code).toBe(Code.Unimplemented);
      });

      test("take version and language from the headers", async () => {
        const client = await clientOf({
          say: (_, context) => {
            const { version, language, requestId } = callContextOf(context);
            return { value: `${version} ${language} ${requestId}` };
          },
        });
        const headers = {
          "x-mpi-version": "1.1.1",
          "accept-language": "fr, en;q=0.8, et;q=0.2",
          "x-road-id": "Q1",
        };
        expect((await client.say({}, { headers })).value).toBe("1.1.1 en Q1");
        expect((await client.say({})).value).toMatch(/^1\.5\.0 et [0-9a-f-]{36}$/);
        const error = await rejectionOf(client.say({}, { headers: { "x-mpi-version": "7.0.0" } }));
        expect(error.code).toBe(Code.InvalidArgument);
        expect(error.findDetails(ErrorDetailsSchema)[0]?.issues[0]?.code).toBe("MPI-400");
      });
    });

    describe("streams", () => {
      test("of answers arrive in order, with headers and trailers", async () => {
        const client = await clientOf({
          async *repeat({ value }, context) {
            context.responseHeader.set("x-first", "1");
            for (let i = 0; i < 500; i += 1) yield { value: `${value}${i}` };
            context.responseTrailer.set("x-last", "9");
          },
        });
        const seen: string[] = [];
        const ends: (string | null)[] = [];
        const answers = client.repeat(
          { value: "a" },
          { onHeader: (h) => ends.push(h.get("x-first")), onTrailer: (t) => ends.push(t.get("x-last")) },
        );
        for await (const { value } of answers) seen.push(value);
        expect(seen).toEqual(Array.from({ length: 500 }, (_, i) => `a${i}`));
        expect(ends).toEqual(["1", "9"]);
      });

      test("may be empty", async () => {
        const client = await clientOf({ async *repeat() {} });
        expect(await allOf(client.repeat({}))).toEqual([]);
      });

      test("that are refused midway keep what came before", async () => {
        const client = await clientOf({
          async *repeat() {
            yield { value: "one" };
            throw new MpiError("PATIENT_NOT_FOUND");
          },
        });
        const seen: string[] = [];
        const error = await rejectionOf(
          (async () => {
            for await (const { value } of client.repeat({})) seen.push(value);
          })(),
        );
        expect(seen).toEqual(["one"]);
        expect(error.code).toBe(Code.NotFound);
        expect(error.findDetails(ErrorDetailsSchema)[0]?.issues[0]?.code).toBe("MPI-021");
      });

      test("end for the service when the caller gives up", async () => {
        const ended = Promise.withResolvers<void>();
        const client = await clientOf({
          async *repeat(_, context) {
            try {
              yield { value: "one" };
              await abortOf(context);
              throw context.signal.reason;
            } finally {
              ended.resolve();
            }
          },
        });
        const controller = new AbortController();
        const error = await rejectionOf(
          (async () => {
            for await (const _ of client.repeat({}, { signal: controller.signal })) controller.abort();
          })(),
        );
        expect(error.code).toBe(Code.Canceled);
        await ended.promise;
      });

      test("of questions reach the service whole", async () => {
        const client = await clientOf({
          join: async (requests) => ({ value: (await allOf(requests)).join("") }),
        });
        expect((await client.join(texts("a", "b", "c"))).value).toBe("abc");
      });

      test.runIf(traits.bidirectional)("go both ways at once", async () => {
        const client = await clientOf({
          async *talk(requests) {
            for await (const { value } of requests) yield { value: `${value}!` };
          },
        });
        expect(await allOf(client.talk(texts("a", "b")))).toEqual(["a!", "b!"]);
      });
    });
  });
}

/** A service that answers only by being told to stop. */
function waiting() {
  const started = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<AbortSignal>();
  const impl: Echo = {
    say: async (_, context) => {
      started.resolve();
      await abortOf(context);
      aborted.resolve(context.signal);
      throw context.signal.reason;
    },
  };
  return { impl, started: started.promise, aborted: aborted.promise };
}

function abortOf({ signal }: HandlerContext): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

export function fourHundredIssues(): MpiError {
  const one = (at: number) =>
    fault(
      "TELECOM_SYSTEM_UNKNOWN",
      { system: `süsteem ${at}`, allowed: "phone, email" },
      { expression: [`Patient.telecom[${at}].system`] },
    );
  return MpiError.of([one(0), ...Array.from({ length: 399 }, (_, at) => one(at + 1))]);
}

/** The ConnectError that the call ends with. */
export async function rejectionOf(call: Promise<unknown>): Promise<ConnectError> {
  const error = await call.then(
    () => expect.fail("the call was not refused"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConnectError)) throw error;
  return error;
}

async function allOf(stream: AsyncIterable<{ value: string }>): Promise<string[]> {
  const values: string[] = [];
  for await (const { value } of stream) values.push(value);
  return values;
}

async function* texts(...values: string[]): AsyncGenerator<{ value: string }> {
  for (const value of values) yield { value };
}
