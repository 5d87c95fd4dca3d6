import { ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { decodeResource } from "../../gateway/fhir/index.ts";
import { createRemoteTransport, type RemoteTransport } from "../../gateway/transport/remote/remote.ts";
import { GrpcStatus } from "../../src/errors/index.ts";
import { doctor, headersOf } from "../callers.ts";
import { refusalOf } from "../clients.ts";
import { onServer } from "../database.ts";
import { send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";
import { type RunningService, startService } from "../service.ts";
import { type Forgery, type Forging, forgeries } from "./forgeries.ts";
import { goodClaims, signed, signingKey, startIssuer, type TestIssuer } from "./test-issuer.ts";

let issuer: TestIssuer;
let service: RunningService;
let transport: RemoteTransport;
let forging: Forging;

beforeAll(async () => {
  const [elliptic, rsa, own] = await Promise.all(["ES256", "RS256", "ES256"].map(signingKey));
  if (!elliptic || !rsa || !own) throw new Error("There are no keys.");
  issuer = await startIssuer(elliptic, rsa);
  service = await startService({ jwksUrl: issuer.jwksUrl, tokenIssuer: issuer.issuer });
  transport = createRemoteTransport({ target: `127.0.0.1:${service.grpcPort}` });
  const good = await signed(elliptic, goodClaims(issuer));
  forging = { issuer, elliptic, rsa, own, good };
});

afterAll(async () => {
  transport?.close();
  await service?.stop();
  await issuer?.stop();
});

async function callerOf({ authorization, user }: Pick<Forgery, "authorization" | "user">) {
  const headers = headersOf(doctor, "");
  return {
    ...headers,
    authorization: await authorization(forging),
    ...(user !== undefined && { "x-road-userid": user }),
  };
}

function createOverHttp(headers: Record<string, string>) {
  const url = `${service.url}/fhir/Patient`;
  return send(url, { as: "nobody", method: "POST", headers, body: JSON.stringify(inventedPatient()) });
}

function createOverGrpc(headers: Record<string, string>) {
  const { message: patient } = decodeResource(PatientSchema, JSON.parse(JSON.stringify(inventedPatient())));
  if (!patient) throw new Error("The invented patient is none.");
  return transport.unary(PatientService.method.createPatient, undefined, undefined, headers, { patient });
}

async function patients(): Promise<number> {
  const { rows } = await onServer(service.databaseUrl, (client) =>
    client.query<{ count: string }>("SELECT count(*) FROM patient"),
  );
  return Number(rows[0]?.count);
}

describe("a token", () => {
  it("that is good opens the door", async () => {
    const headers = await callerOf({ authorization: ({ good }) => `bearer ${good}` });
    expect((await createOverHttp(headers)).status).toBe(201);
    await createOverGrpc(headers);
    expect(await patients()).toBe(2);
  });

  it.for(forgeries)("$what is refused over HTTP and gRPC, and nothing is stored", async (forgery) => {
    const before = await patients();
    const headers = await callerOf(forgery);
    const overHttp = await createOverHttp(headers);
    expect([overHttp.status, overHttp.json.issue[0].details.coding[0].code]).toEqual([401, "MPI-400"]);
    expect(overHttp.json.issue).toHaveLength(1);
    expect(overHttp.headers.get("www-authenticate")).toMatch(/^Bearer /);
    const refused = await createOverGrpc(headers).catch((error: unknown) => ConnectError.from(error));
    expect(refused).toMatchObject({ code: GrpcStatus.UNAUTHENTICATED });
    expect(await refusalOf(createOverGrpc(headers))).toMatchObject({
      issues: [`MPI-400 http.${forgery.user === undefined ? "authorization" : "x-road-userid"}`],
    });
    expect(await patients()).toBe(before);
  });

  it.for(["application/json", "application/grpc-web+proto"])(
    "that is missing is told of as %s",
    async (type) => {
      const url = `${service.url}/patientindex.v1.PatientService/ReadPatient`;
      const body = type === "application/json" ? '{"id":"1"}' : Uint8Array.of(0, 0, 0, 0, 3, 10, 1, 49);
      const answer = await fetch(url, { method: "POST", headers: { "content-type": type }, body });
      if (type === "application/json") {
        expect(answer.status).toBe(401);
        expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="patient-index"');
      } else expect(await answer.text()).toContain(`grpc-status: ${GrpcStatus.UNAUTHENTICATED}`);
    },
  );

  it("in the address is none", async () => {
    const { authorization: _, ...rest } = await callerOf({ authorization: () => "" });
    const url = `${service.url}/fhir/Patient/1?access_token=${forging.good}`;
    const headers = { ...rest, prefer: "handling=lenient" };
    expect((await send(url, { as: "nobody", headers })).status).toBe(401);
  });
});
