import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseSettings } from "../../../src/config.ts";
import { type RunningService, startService } from "../../service.ts";
import { send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";

const PORTAL = "https://portal.example.ee";
const PATHS = ["/fhir/Patient", "/patientindex.v1.PatientService/ReadPatient"];

let service: RunningService;

beforeAll(async () => {
  service = await startService({ corsOrigins: [PORTAL, "https://other.example.ee"] });
});

afterAll(() => service.stop());

function preflight(url: string, origin: string): Promise<Response> {
  const headers = {
    origin,
    "access-control-request-method": "PUT",
    "access-control-request-headers": "authorization,if-match,x-road-userid,x-grpc-web",
  };
  return fetch(url, { method: "OPTIONS", headers });
}

const listed = (headers: Headers, name: string) =>
  (headers.get(name) ?? "").split(",").map((one) => one.trim().toLowerCase());

describe("a page of an origin that may", () => {
  test.each(PATHS)("is told before it asks that it may, at %s", async (path) => {
    const { status, headers } = await preflight(service.url + path, PORTAL);
    expect([status, headers.get("access-control-allow-origin")]).toEqual([204, PORTAL]);
    expect(listed(headers, "access-control-allow-methods")).toEqual(
      expect.arrayContaining(["get", "post", "put", "patch", "delete"]),
    );
    expect(listed(headers, "access-control-allow-headers")).toEqual(
      expect.arrayContaining([
        ...["authorization", "x-road-userid", "x-mpi-version", "traceparent"],
        ...["if-match", "if-none-match", "if-modified-since", "if-none-exist", "prefer"],
        ...["x-grpc-web", "grpc-timeout", "connect-protocol-version", "connect-timeout-ms"],
      ]),
    );
  });

  test("may read what it was answered, with its version and place", async () => {
    const { status, headers } = await send(`${service.url}/fhir/Patient`, {
      method: "POST",
      body: JSON.stringify(inventedPatient()),
      headers: { origin: PORTAL },
    });
    expect([status, headers.get("access-control-allow-origin")]).toEqual([201, PORTAL]);
    expect(listed(headers, "access-control-expose-headers")).toEqual(
      expect.arrayContaining(["etag", "location", "last-modified"]),
    );
    expect(listed(headers, "vary")).toEqual(expect.arrayContaining(["origin", "accept"]));
  });

  test("may read refusals, and answers of Connect and gRPC-Web", async () => {
    const headers = { origin: PORTAL };
    const refused = await send(`${service.url}/fhir/Planet/1`, { headers });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([404, PORTAL]);
    const answered = await send(service.url + PATHS[1], {
      method: "POST",
      body: '{"id":"999999"}',
      headers: { ...headers, "content-type": "application/json" },
    });
    expect(answered.headers.get("access-control-allow-origin")).toBe(PORTAL);
    expect(listed(answered.headers, "access-control-expose-headers")).toEqual(
      expect.arrayContaining([
        ...["grpc-status", "grpc-message", "grpc-status-details-bin"],
        ...["retry-after", "www-authenticate", "x-request-id", "allow"],
      ]),
    );
  });
});

describe("a page of another origin", () => {
  test.each(PATHS)("is told of none that it may, at %s", async (path) => {
    const { headers } = await preflight(service.url + path, "https://evil.example.org");
    expect(headers.get("access-control-allow-origin")).toBeNull();
    const answer = await send(service.url + path, { headers: { origin: "https://evil.example.org" } });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("MPI_CORS_ORIGINS", () => {
  test("is none by default, and then nothing is said of origins", async () => {
    expect(parseSettings({}).corsOrigins).toEqual([]);
    const closed = await startService();
    const { status, headers } = await preflight(`${closed.url}/fhir/Patient`, PORTAL);
    await closed.stop();
    expect([status, headers.get("access-control-allow-origin")]).toEqual([405, null]);
  });

  test("may be all", async () => {
    const open = await startService({ corsOrigins: ["*"] });
    const { status, headers } = await preflight(`${open.url}/fhir/Patient`, "https://any.example.org");
    await open.stop();
    expect([status, headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
  });

  test("takes origins and nothing else", () => {
    const read = (value: string) => parseSettings({ MPI_CORS_ORIGINS: value }).corsOrigins;
    expect(read(`${PORTAL}, http://localhost:3000`)).toEqual([PORTAL, "http://localhost:3000"]);
    expect(read("*")).toEqual(["*"]);
    for (const wrong of ["portal.example.ee", `${PORTAL}/`, `${PORTAL}/fhir`, "file://x", "null"]) {
      expect(() => read(wrong)).toThrow("MPI_CORS_ORIGINS");
    }
  });
});
