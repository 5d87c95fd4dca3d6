import { create, type DescMessage, type DescMethodUnary, type Message } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { decodeResource } from "../../gateway/fhir/index.ts";
import { createRemoteTransport, type RemoteTransport } from "../../gateway/transport/remote/remote.ts";
import { catalogueVersions, httpStatusByGrpcStatus } from "../../src/errors/index.ts";
import people from "../../src/sandbox/people.json" with { type: "json" };
import { callerHeaders, doctor, type TestCaller } from "../callers.ts";
import { send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";
import { sandboxControl } from "../registers/sandbox-control.ts";
import { type RunningService, startService } from "../service.ts";
import { type Asked, type Chain, chainOperations, chains } from "./register-chains.ts";

const CODE = people.people[0]?.personalCode ?? "";
const RR = "https://rahvastikuregister.ee";
const BASE = "https://fhir.ee/base/";
const headers = { "x-road-issue": "visit", "accept-language": "en" };

interface Shown {
  readonly system: string;
  readonly code: string;
  readonly text: string;
  readonly severity: string;
  readonly issueType: string;
}

let service: RunningService;
let control: ReturnType<typeof sandboxControl>;
let transport: RemoteTransport;

beforeAll(async () => {
  // No circuit breaker opens for drops in a row, since each is followed by the answers of other versions and ways.
  service = await startService({ registerTimeout: 60_000 });
  control = sandboxControl(service.sandboxUrl);
  transport = createRemoteTransport({ target: `127.0.0.1:${service.grpcPort}` });
  const asked = chains.flatMap((chain) => ("personalCode" in chain.asked ? chain.asked.personalCode : CODE));
  for (const code of new Set(asked)) {
    await send(`${service.url}/fhir/Patient/$lookup?identifier=${code}&source=${RR}`);
  }
});

afterEach(async () => {
  await control.heal();
});

afterAll(async () => {
  transport.close();
  await service.stop();
});

interface HttpIssue {
  readonly severity: string;
  readonly code: string;
  readonly details: { readonly text: string; readonly coding: readonly { system?: string; code?: string }[] };
}

type Answer = { readonly status: number; readonly issues: readonly Shown[] };

/** A request as HTTP and as gRPC send it. */
interface Request {
  readonly path: string;
  readonly body?: string;
  readonly method: DescMethodUnary;
  readonly message: Message;
  readonly as?: TestCaller;
}

function requestOf(asked: Asked): Request {
  if ("operation" in asked) return operationOf(asked);
  return "author" in asked ? readBy(asked.author) : creationOf(asked.adrId);
}

function operationOf({ operation, personalCode = CODE }: Extract<Asked, { operation: unknown }>): Request {
  const parameters = { "patient.identifier": personalCode, nocache: "true" };
  const method = chainOperations[operation];
  const named = Object.entries(parameters).map(([name, value]) => ({ name, value }));
  return {
    path: `$${operation}?${new URLSearchParams(parameters)}`,
    method,
    message: create<DescMessage>(method.input, { parameters: named }),
  };
}

function readBy(personalCode: string): Request {
  const method = PatientService.method.readPatient;
  return { path: "1", method, message: create(method.input, { id: "1" }), as: { ...doctor, personalCode } };
}

function creationOf(adrId: string): Request {
  const valueCoding = { system: `${BASE}CodeSystem/ads-adr-id`, code: adrId };
  const extension = [{ url: `${BASE}StructureDefinition/ee-ads-adr-id`, valueCoding }];
  const json = inventedPatient({ address: [{ use: "home", type: "physical", country: "EE", extension }] });
  const { message: patient } = decodeResource(PatientSchema, JSON.parse(JSON.stringify(json)));
  if (!patient) throw new Error("The invented patient is none.");
  const method = PatientService.method.createPatient;
  return { path: "", body: JSON.stringify(json), method, message: create(method.input, { patient }) };
}

async function overHttp({ asked }: Chain, version: string): Promise<Answer> {
  const { path, body, as = doctor } = requestOf(asked);
  const request = body === undefined ? { headers, as } : { headers, as, method: "POST", body };
  const { status, json } = await send(`${service.url}/${version}/fhir/Patient${path && `/${path}`}`, request);
  const issues = json.issue.map(({ severity, code: issueType, details }: HttpIssue): Shown => {
    const { system = "", code = "" } = details.coding[0] ?? {};
    return { system, code, text: details.text, severity, issueType };
  });
  return { status, issues };
}

async function overGrpc({ asked }: Chain, version: string): Promise<Answer> {
  const { method, message, as } = requestOf(asked);
  const caller = await callerHeaders(`127.0.0.1:${service.grpcPort}`, as);
  const error = await transport
    .unary(method, undefined, undefined, { ...caller, ...headers, "x-mpi-version": version }, message)
    .then(
      () => undefined,
      (thrown: unknown) => ConnectError.from(thrown),
    );
  const [details] = error?.findDetails(ErrorDetailsSchema) ?? [];
  const issues = (details?.issues ?? []).map(({ system, code, text, issueType }) => ({
    system,
    code,
    text,
    severity: "error",
    issueType,
  }));
  const code = (error?.code ?? 0) as keyof typeof httpStatusByGrpcStatus;
  return { status: httpStatusByGrpcStatus[code], issues };
}

const cases = chains.map((chain) => [chain.codes.join(" < "), chain] as const);

describe.for(catalogueVersions)("in %s the chain", (version) => {
  it.for(cases)("%s comes by HTTP and gRPC alike", async ([, chain]) => {
    if (chain.fault) await control.fail(chain.fault);
    const byHttp = await overHttp(chain, version);
    const byGrpc = await overGrpc(chain, version);
    const isOld = version === "1.1.1";
    const codes = (isOld && chain.in111) || chain.codes;
    expect(byHttp.issues.map(({ code }) => code)).toEqual(codes);
    expect(byHttp.status).toBe((isOld && chain.statusIn111) || chain.status);
    expect(byGrpc).toEqual(byHttp);
    expect(byHttp.issues.every(({ severity }) => severity === "error")).toBe(true);
    const systems = new Set(byHttp.issues.map(({ system }) => system));
    expect(systems.size).toBeGreaterThanOrEqual(Math.min(codes.length, 2));
    const { code, message } = chain.fault ?? {};
    if (code === undefined) return;
    expect(byHttp.issues.at(-2)?.text).toContain(`${code} - ${message}`);
    expect(byHttp.issues.at(-1)).toMatchObject({ code, text: message });
  });
});
