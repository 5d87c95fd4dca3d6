import { type DescField, type DescMethod, ScalarType } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createClient, type Transport } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TransactionService } from "#proto/patientindex/v1/transaction_service_pb.ts";
import { forwardedServices } from "../../../gateway/transport/connect/forwarded-services.ts";
import { type GrpcClients, grpcClients, type Refusal, refusalOf } from "../../clients.ts";
import { type RunningService, startService } from "../../service.ts";
import { somebody } from "../../storage/patients/store.ts";

/** A method, and the fields of its request that are looked at. */
type Asked = readonly [name: string, method: DescMethod, fields: readonly DescField[]];

const isId = ({ name, fieldKind, scalar }: DescField) =>
  fieldKind === "scalar" && scalar === ScalarType.STRING && /(^|_)id$/.test(name);
const isInstant = ({ message }: DescField) => message?.typeName === TimestampSchema.typeName;

function methodsWith(isMeant: (field: DescField) => boolean): Asked[] {
  return forwardedServices
    .flatMap(({ methods }) => methods)
    .map((method): Asked => [method.name, method, method.input.fields.filter(isMeant)])
    .filter(([, , fields]) => fields.length > 0);
}

let service: RunningService;
let clients: GrpcClients;

beforeAll(async () => {
  service = await startService();
  clients = grpcClients(service.grpcPort);
});

afterAll(async () => {
  clients.close();
  await service.stop();
});

describe("an id that is empty", () => {
  it.each(methodsWith(isId))("is refused by %s, by the name of its field", async (_name, method, fields) => {
    expect(await refused(method, {})).toEqual(refusedFor("InvalidArgument", "MPI-078", fields));
  });

  it("is refused in an entry of a transaction that names nobody by criteria either, at that entry", async () => {
    const transactions = createClient(TransactionService, clients.transport);
    const processing = transactions.processTransaction({
      entries: [
        { request: { case: "createPatient", value: { patient: somebody() } } },
        { request: { case: "readPatientVersion", value: {} } },
        { request: { case: "updatePatient", value: { patient: somebody() } } },
      ],
    });
    expect(await refusalOf(processing)).toEqual({
      status: "InvalidArgument",
      issues: [
        "MPI-078 Bundle.entry[1].request.url",
        "MPI-078 Bundle.entry[1].request.url",
        "MPI-078 Bundle.entry[2].request.url",
      ],
    });
  });
});

describe("a Timestamp that is none", () => {
  const outside: [string, Pick<Timestamp, "seconds" | "nanos">][] = [
    ["of the year 0", { seconds: -62_135_596_801n, nanos: 0 }],
    ["of the year 10000", { seconds: 253_402_300_800n, nanos: 0 }],
    ["beyond everything", { seconds: 9_223_372_036_854_775_807n, nanos: 0 }],
    ["with negative nanoseconds", { seconds: 1n, nanos: -1 }],
    ["with a second of nanoseconds", { seconds: 1n, nanos: 1_000_000_000 }],
  ];

  describe.each(outside)("%s", (_fault, value) => {
    it.each(methodsWith(isInstant))(
      "is refused by %s, by the name of its field",
      async (_name, method, fields) => {
        const ids = method.input.fields.filter(isId).map(({ localName }) => [localName, "1"]);
        const instants = fields.map(({ localName }) => [localName, value]);
        expect(await refused(method, Object.fromEntries([...ids, ...instants]))).toEqual(
          refusedFor("InvalidArgument", "MPI-096", fields),
        );
      },
    );
  });

  it("is neither the first instant nor the last", async () => {
    const { patient } = await clients.patients.createPatient({ patient: somebody() });
    const totals = ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"].map(async (text) => {
      const since = timestampFromDate(new Date(text));
      return (await clients.patients.listPatientHistory({ id: patient?.id ?? "", since })).totalSize;
    });
    expect(await Promise.all(totals)).toEqual([1n, 0n]);
  });
});

/** The refusal of a method with this request. */
function refused(method: DescMethod, request: object): Promise<Refusal> {
  return refusalOf(answered(clients.transport, method, request));
}

type Call = (request: object) => unknown;

/** What a method answers first. */
async function answered(transport: Transport, method: DescMethod, request: object): Promise<unknown> {
  const call = createClient(method.parent, transport)[method.localName] as unknown as Call;
  const answer = await call(request);
  return method.methodKind === "unary" ? answer : await firstOf(answer as AsyncIterable<unknown>);
}

async function firstOf(messages: AsyncIterable<unknown>): Promise<unknown> {
  for await (const message of messages) return message;
  return undefined;
}

function refusedFor(status: string, code: string, fields: readonly DescField[]): Refusal {
  return { status, issues: fields.map(({ name }) => `${code} ${name}`) };
}
