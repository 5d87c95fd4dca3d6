import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { type Client, Code, createClient, type ServiceImpl } from "@connectrpc/connect";
import { pino } from "pino";
import { expect, test } from "vitest";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { CallBatchService, type CallResult } from "#proto/patientindex/v1/call_batch_service_pb.ts";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { createInProcessTransport } from "../../../gateway/transport/in-process/in-process.ts";
import { currentCall, currentSignal } from "../../../src/call/current-call.ts";
import { defaultErrorSystems } from "../../../src/errors/index.ts";
import { type Interceptor, intercept, standardInterceptors } from "../../../src/grpc/interceptors/index.ts";
import { callBatchService } from "../../../src/grpc/services/call-batch-service.ts";
import { rejectionOf } from "../refusals.ts";

type Patients = Partial<ServiceImpl<typeof PatientService>>;
type Batches = Client<typeof CallBatchService>;

const log = pino({ level: "silent" });

function batchesOf(impl: Patients, more: readonly Interceptor[] = []): Batches {
  const chain = {
    interceptors: [...standardInterceptors(log, defaultErrorSystems), ...more],
    defaultLanguage: "en",
  } as const;
  const batches = callBatchService([intercept(PatientService, impl, chain)], defaultErrorSystems);
  return createClient(
    CallBatchService,
    createInProcessTransport([intercept(CallBatchService, batches, chain)]),
  );
}

/** The messages that a batch is answered with. */
async function messagesOf(answers: ReturnType<Batches["makeCalls"]>): Promise<CallResult[][]> {
  const messages: CallResult[][] = [];
  for await (const { results } of answers) messages.push(results);
  return messages;
}

function read(id: string) {
  return { request: { case: "readPatient", value: { id } } } as const;
}

const echoing: Patients = { readPatient: ({ id }) => ({ patient: { id } }) };

test("results name the calls that they are of, and are as many", async () => {
  const calls = Array.from({ length: 100 }, (_, at) => read(String(at)));
  const results = (await messagesOf(batchesOf(echoing).makeCalls({ calls }))).flat();
  expect(results.map(({ place, outcome }) => [place, outcome])).toEqual(
    calls.map((_, at) => [at, expect.objectContaining({ case: "readPatient" })]),
  );
});

test("an empty batch is answered with nothing", async () => {
  expect(await messagesOf(batchesOf(echoing).makeCalls({}))).toEqual([]);
});

test("more than a hundred calls are refused, and none is made", async () => {
  const made: string[] = [];
  const batches = batchesOf({
    readPatient: ({ id }) => {
      made.push(id);
      return {};
    },
  });
  const calls = Array.from({ length: 101 }, (_, at) => read(String(at)));
  const error = await rejectionOf(messagesOf(batches.makeCalls({ calls })));
  expect(error.code).toBe(Code.InvalidArgument);
  const [details] = error.findDetails(ErrorDetailsSchema);
  expect(details?.issues).toMatchObject([{ expressions: ["calls"], parameters: { max: "100" } }]);
  expect(made).toEqual([]);
});

test("a call that says nothing, and one with metadata that cannot be, are refused by themselves", async () => {
  const calls = [{}, { ...read("1"), metadata: { "x-road-id": "two\nlines" } }, read("2")];
  const results = (await messagesOf(batchesOf(echoing).makeCalls({ calls }))).flat();
  const outcomes = results
    .toSorted((one, other) => one.place - other.place)
    .map(({ outcome }) => (outcome.case === "status" ? outcome.value.code : outcome.case));
  expect(outcomes).toEqual([Code.Unimplemented, Code.InvalidArgument, "readPatient"]);
  const reasons = results.flatMap(({ outcome }) => (outcome.case === "status" ? outcome.value.details : []));
  expect(reasons.flatMap((detail) => anyUnpack(detail, ErrorInfoSchema)?.reason ?? []).toSorted()).toEqual([
    "HEADER_MALFORMED",
    "NOT_IMPLEMENTED",
  ]);
});

test("a call goes through all that a single one goes through, and knows nothing of the batch", async () => {
  const before: unknown[] = [];
  const within: unknown[] = [];
  const looking: Interceptor = (call, next) => {
    if (call.method.name === "ReadPatient") before.push(currentCall(), currentSignal());
    return next(call);
  };
  const batches = batchesOf(
    {
      readPatient: (_, context) => {
        within.push(currentCall()?.method, currentSignal() === context.signal);
        return {};
      },
    },
    [looking],
  );
  await messagesOf(batches.makeCalls({ calls: [read("1")] }));
  expect(before).toEqual([undefined, undefined]);
  expect(within).toEqual(["PatientService/ReadPatient", true]);
});

test("large answers do not come in one message", async () => {
  const patient = { language: "x".repeat(1_500_000) };
  const calls = Array.from({ length: 5 }, () => read("1"));
  const messages = await messagesOf(batchesOf({ readPatient: () => ({ patient }) }).makeCalls({ calls }));
  expect(messages.map((results) => results.length)).toEqual([2, 2, 1]);
});
