import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../service.ts";
import { type HttpAnswer, send } from "./http-client.ts";
import { inventedPatient } from "./invented-patient.ts";

interface Identifier {
  readonly system: string;
  readonly value: string;
  readonly period?: { readonly start?: string; readonly end?: string };
}
interface Patient {
  readonly id: string;
  readonly identifier: readonly [Identifier, ...Identifier[]];
}

const LONG_AGO = "2001-02-03";
const LATER = "2090-02-03";

let service: RunningService;
let primary: Patient;
let secondary: Patient;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

/** Both hold an identifier of one system, so the primary shows that of the secondary as ended at the link. */
beforeEach(async () => {
  secondary = (await post("/Patient", inventedPatient())).json;
  primary = (await post("/Patient", inventedPatient())).json;
  await link(secondary, primary);
});

describe("a PUT of a secondary", () => {
  it("that ends what its primary shows as ended before gives the primary no version", async () => {
    const before = await read(primary);
    await end(secondary, LATER);
    expect((await read(secondary)).json.identifier[0].period).toEqual({ end: LATER });
    const after = await read(primary);
    expect([after.json, after.headers.get("etag")]).toEqual([before.json, 'W/"2"']);
    expect((await send(`${service.url}/fhir/Patient/${primary.id}/_history`)).json.total).toBe(2);
  });

  it("that ends it earlier gives the primary a version which shows that", async () => {
    await end(secondary, LATER);
    await end(secondary, LONG_AGO);
    const { json } = await read(primary);
    expect([json.meta.versionId, json.identifier[1].period]).toEqual(["3", { end: LONG_AGO }]);
  });

  it("that adds an identifier, or puts them in another order, gives the primary a version", async () => {
    const added = { system: "https://fhir.ee/sid/pid/nor/ni", value: secondary.identifier[0].value };
    await put(secondary, [...secondary.identifier, added]);
    await put(secondary, [added, ...secondary.identifier]);
    const { json } = await read(primary);
    expect(json.meta.versionId).toBe("4");
    expect(json.identifier[1]).toEqual(added);
  });

  it("is seen whole when that which hid it is gone", async () => {
    const above = (await post("/Patient", inventedPatient({ identifier: [anIdentifier("nor/ni")] }))).json;
    await link(primary, above);
    await end(secondary, LATER);
    expect((await read(above)).json.meta.versionId).toBe("2");
    await operate("unlink", secondary, primary);
    await link(secondary, above);
    await operate("unlink", primary, above);
    const { json } = await read(above);
    expect(json.identifier.map(({ period }: Identifier) => period?.end)).toEqual([undefined, LATER]);
  });
});

function end(patient: Patient, at: string): Promise<void> {
  return put(patient, [{ ...patient.identifier[0], period: { end: at } }]);
}

async function put(patient: Patient, identifier: readonly Identifier[]): Promise<void> {
  const { json } = await read(patient);
  const body = JSON.stringify({ ...json, identifier });
  const { status } = await send(`${service.url}/fhir/Patient/${patient.id}`, { method: "PUT", body });
  expect(status).toBe(200);
}

function link(source: Patient, target: Patient): Promise<void> {
  return operate("link", source, target);
}

async function operate(operation: "link" | "unlink", source: Patient, target: Patient): Promise<void> {
  const parameter = [
    { name: "source-patient", valueReference: { reference: `Patient/${source.id}` } },
    { name: "target-patient", valueReference: { reference: `Patient/${target.id}` } },
  ];
  const { status } = await post(`/Patient/$${operation}`, { resourceType: "Parameters", parameter });
  expect(status).toBe(200);
}

function anIdentifier(kind: string): Identifier {
  const [{ value }] = inventedPatient()["identifier"] as [Identifier];
  return { system: `https://fhir.ee/sid/pid/${kind}`, value };
}

const read = ({ id }: Patient): Promise<HttpAnswer> => send(`${service.url}/fhir/Patient/${id}`);
const post = (path: string, body: object): Promise<HttpAnswer> =>
  send(`${service.url}/fhir${path}`, { method: "POST", body: JSON.stringify(body) });
