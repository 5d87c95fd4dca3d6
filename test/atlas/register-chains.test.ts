import { create } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { createRemoteTransport, type RemoteTransport } from "../../gateway/transport/remote.ts";
import { catalogueVersions, httpStatusByGrpcStatus } from "../../src/errors/index.ts";
import people from "../../src/sandbox/people.json" with { type: "json" };
import { send } from "../gateway/http-client.ts";
import { sandboxControl } from "../registers/sandbox-control.ts";
import { type RunningService, startService } from "../service.ts";
import { type Chain, chainOperations, chains } from "./register-chains.ts";

const CODE = people.people[0]?.personalCode ?? "";
const RR = "https://rahvastikuregister.ee";
const parameters = { "patient.identifier": CODE, nocache: "true" };
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
  service = await startService({ registerTimeout: 3_000 });
  control = sandboxControl(service.sandboxUrl);
  transport = createRemoteTransport({ target: `127.0.0.1:${service.grpcPort}` });
  await send(`${service.url}/fhir/Patient/$lookup?identifier=${CODE}&source=${RR}`);
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

async function overHttp({ operation }: Chain, version: string): Promise<Answer> {
  const query = new URLSearchParams(parameters);
  const { status, json } = await send(`${service.url}/${version}/fhir/Patient/$${operation}?${query}`, {
    headers,
  });
  const issues = json.issue.map(({ severity, code: issueType, details }: HttpIssue): Shown => {
    const { system = "", code = "" } = details.coding[0] ?? {};
    return { system, code, text: details.text, severity, issueType };
  });
  return { status, issues };
}

async function overGrpc({ operation }: Chain, version: string): Promise<Answer> {
  // The union of the methods has no common type; each has this request.
  const method = chainOperations[operation] as unknown as typeof chainOperations.education;
  const message = create(method.input, {
    parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
  });
  const error = await transport
    .unary(method, undefined, undefined, { ...headers, "x-mpi-version": version }, message)
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
    await control.fail(chain.fault);
    const byHttp = await overHttp(chain, version);
    const byGrpc = await overGrpc(chain, version);
    const isOld = version === "1.1.1";
    const codes = (isOld && chain.in111) || chain.codes;
    expect(byHttp.issues.map(({ code }) => code)).toEqual(codes);
    expect(byHttp.status).toBe((isOld && chain.statusIn111) || chain.status);
    expect(byGrpc).toEqual(byHttp);
    expect(byHttp.issues.every(({ severity }) => severity === "error")).toBe(true);
    expect(new Set(byHttp.issues.map(({ system }) => system)).size).toBeGreaterThanOrEqual(2);
    const { code, message } = chain.fault;
    if (code === undefined) return;
    expect(byHttp.issues.at(-2)?.text).toContain(`${code} - ${message}`);
    expect(byHttp.issues.at(-1)).toMatchObject({ code, text: message });
  });
});
