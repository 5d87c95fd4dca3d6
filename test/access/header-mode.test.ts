import { afterAll, beforeAll, expect, test } from "vitest";
import { doctor, headersOf } from "../callers.ts";
import { send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";
import { type RunningService, startService } from "../service.ts";

const { authorization: _, ...headers } = headersOf(doctor, "");

let service: RunningService;

beforeAll(async () => {
  service = await startService({ callerMode: "headers", assumedRole: "doctor" });
});

afterAll(() => service.stop());

function create(changes: Record<string, string>) {
  const body = JSON.stringify(inventedPatient());
  return send(`${service.url}/fhir/Patient`, {
    as: "nobody",
    method: "POST",
    body,
    headers: { ...headers, ...changes },
  });
}

test("where callers are known by headers alone, they need no token", async () => {
  expect((await create({})).status).toBe(201);
});

test("a token is not looked at", async () => {
  expect((await create({ authorization: "Bearer of.no.use" })).status).toBe(201);
});

test("the author is checked all the same", async () => {
  const { status, json } = await create({ "x-road-userid": "EE00000000000" });
  expect([status, json.issue[0].details.coding[0].code]).toEqual([403, "MPI-063"]);
});

test("health, metadata and definitions need no headers either", async () => {
  for (const path of ["/health/ready", "/fhir/metadata", "/fhir/StructureDefinition"]) {
    expect([path, (await send(service.url + path, { as: "nobody" })).status]).toEqual([path, 200]);
  }
});
