import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { transportAs } from "../../../caller-transport.ts";
import { doctor, trusts } from "../../../callers.ts";
import { refusalOf } from "../../../clients.ts";
import { onServer } from "../../../database.ts";
import { rowsOfPatient } from "../../../rows-of-patient.ts";
import { type RunningService, startService } from "../../../service.ts";
import { somebody } from "../../../storage/patients/store.ts";
import { type HttpAnswer, type HttpRequest, send } from "../../http-client.ts";
import { inventedPatient } from "../../invented-patient.ts";
import { type StartedGateway, startGatewayApart } from "../../started-gateway.ts";
import { sendXml } from "../../xml-client.ts";

type Json = Record<string, unknown>;

interface AnsweredEntry {
  readonly resource?: Json & { readonly id: string };
  readonly response: {
    readonly status: string;
    readonly location: string;
    readonly etag: string;
    readonly lastModified: string;
    readonly outcome?: { readonly issue: readonly Json[] };
  };
}

let service: RunningService;
/** A gateway of its own, which asks the core by gRPC. */
let apart: StartedGateway;

beforeAll(async () => {
  service = await startService();
  apart = await startGatewayApart(`127.0.0.1:${service.grpcPort}`);
  trusts(apart.url, service.sandboxUrl);
});

afterAll(async () => {
  await apart.stop();
  await service.stop();
});

const ways = [
  ["in the process of the core", () => service.url],
  ["apart from the core", () => apart.url],
] as const;

function entryOf(resource: Json, request: Json = {}): Json {
  return { resource, request: { method: "POST", url: "Patient", ...request } };
}

function batchOf(resources: readonly Json[]): string {
  return JSON.stringify({
    resourceType: "Bundle",
    type: "batch",
    entry: resources.map((resource) => entryOf(resource)),
  });
}

function post(base: string, body: string, request: HttpRequest = {}): Promise<HttpAnswer> {
  return send(base, { ...request, method: "POST", body });
}

async function create(
  base: string,
  resources: readonly Json[],
  request: HttpRequest = {},
): Promise<AnsweredEntry[]> {
  const { status, json } = await post(base, batchOf(resources), request);
  expect([status, json.type]).toEqual([200, "batch-response"]);
  return json.entry;
}

function createAlone(base: string, resource: Json, headers = {}): Promise<HttpAnswer> {
  return post(`${base}/Patient`, JSON.stringify(resource), { headers });
}

/** What is not the same for any two patients. */
function withoutIdentity({ id: _id, meta, identifier: _identifier, ...rest }: Json): Json {
  const { lastUpdated: _lastUpdated, ...others } = meta as Json;
  return { ...rest, meta: others };
}

function statuses(entries: readonly AnsweredEntry[]): string[] {
  return entries.map(({ response }) => response.status);
}

function codes({ response }: AnsweredEntry): unknown[] {
  return (response.outcome?.issue ?? []).map(
    ({ details }) => (details as { coding: Json[] }).coding[0]?.["code"],
  );
}

function numbersOf(count: number): Json[] {
  return Array.from({ length: count }, () => inventedPatient());
}

describe.each(ways)("patients created by a batch, gateway %s", (_where, url) => {
  const base = () => `${url()}/fhir`;

  it("are answered and stored as one that is created alone", async () => {
    const alone = await createAlone(base(), inventedPatient());
    const entries = await create(base(), numbersOf(5));
    for (const { resource, response } of entries) {
      const read = await send(`${base()}/Patient/${resource?.id}`);
      expect(read.json).toEqual(resource);
      expect(withoutIdentity(read.json)).toEqual(withoutIdentity(alone.json));
      const { lastUpdated } = read.json.meta;
      expect(response).toEqual({
        status: "201 Created",
        location: `${base()}/Patient/${resource?.id}/_history/1`,
        etag: 'W/"1"',
        lastModified: lastUpdated,
      });
    }
    expect(new Set(entries.map(({ resource }) => resource?.id)).size).toBe(5);
  });

  it.each(["/fhir", "/1.1.1/fhir"])(
    "are refused each by itself, in the words of a creation alone, below %s",
    async (path) => {
      const contract = `${url()}${path}`;
      const [taken, another] = [inventedPatient(), inventedPatient()];
      await createAlone(contract, taken);
      await createAlone(contract, another);
      const identifiersOf = (...patients: Json[]) => ({
        identifier: patients.flatMap(({ identifier }) => identifier as Json[]),
      });
      const bad = [
        inventedPatient({ colour: "red", gender: 1 }),
        inventedPatient({ name: undefined, gender: "unheard-of" }),
        taken,
        inventedPatient(identifiersOf(taken, another)),
        inventedPatient({ address: [{ use: "home", country: "EE", text: "no such street 1" }] }),
        { resourceType: "Observation" },
      ];
      const headers = { "accept-language": "et" };
      const good = numbersOf(bad.length);
      const mixed = bad.flatMap((one, place) => [good[place] ?? {}, one]);
      const entries = await create(contract, mixed, { headers });
      expect(statuses(entries.filter((_, place) => place % 2 === 0))).toEqual(
        Array(bad.length).fill("201 Created"),
      );
      for (const [place, one] of bad.entries()) {
        const { status, json } = await createAlone(contract, one, headers);
        const { response, resource } = entries[2 * place + 1] as AnsweredEntry;
        expect([response.status.slice(0, 3), response.outcome, resource]).toEqual([
          String(status),
          json,
          undefined,
        ]);
      }
    },
  );

  it("with the identifier of one before them are there already", async () => {
    const one = inventedPatient();
    const entries = await create(base(), [one, inventedPatient(), one]);
    expect(statuses(entries)).toEqual(["201 Created", "201 Created", "409 Conflict"]);
    expect(codes(entries[2] as AnsweredEntry)).toEqual(["MPI-010"]);
  });

  it("in two batches at once are stored once each", async () => {
    const people = numbersOf(120);
    const both = await Promise.all([create(base(), people), create(base(), [...people].reverse())]);
    const [one = [], other = []] = both.map(statuses);
    expect(one.map((status, place) => [status, other[other.length - 1 - place]].sort())).toEqual(
      Array(120).fill(["201 Created", "409 Conflict"]),
    );
  });

  it.each([
    ["return=minimal", { resource: undefined, outcome: undefined }],
    ["return=OperationOutcome", { resource: undefined, outcome: "OperationOutcome" }],
  ])("are answered as Prefer: %s has it", async (prefer, wanted) => {
    const entries = await create(base(), [...numbersOf(2), inventedPatient({ gender: "unheard-of" })], {
      headers: { prefer },
    });
    expect(statuses(entries)).toEqual(["201 Created", "201 Created", "400 Bad Request"]);
    const [{ resource, response }] = entries as [AnsweredEntry];
    const outcome = (response.outcome as Json | undefined)?.["resourceType"];
    expect({ resource, outcome }).toEqual(wanted);
    expect([response.etag, response.lastModified.length]).toEqual([
      'W/"1"',
      "2026-11-21T19:00:00.000+02:00".length,
    ]);
    expect((await send(response.location)).status).toBe(200);
  });

  it("are refused each when the caller may not create patients", async () => {
    const entries = await create(base(), numbersOf(2), { as: { ...doctor, role: "student" } });
    expect(statuses(entries)).toEqual(Array(2).fill("403 Forbidden"));
    expect(entries.map(codes)).toEqual(Array(2).fill(["MPI-403"]));
  });

  it("leave the other entries in their places", async () => {
    const existing = (await createAlone(base(), inventedPatient())).json;
    const [{ system, value }] = existing.identifier;
    const entry = [
      entryOf(inventedPatient()),
      { request: { method: "GET", url: `Patient/${existing.id}` } },
      entryOf(inventedPatient({ gender: "unheard-of" })),
      entryOf(existing, { ifNoneExist: `identifier=${encodeURIComponent(`${system}|${value}`)}` }),
      { request: { method: "GET", url: "Planet/1" } },
      entryOf(inventedPatient()),
    ];
    const { json } = await post(base(), JSON.stringify({ resourceType: "Bundle", type: "batch", entry }));
    expect(statuses(json.entry)).toEqual([
      "201 Created",
      "200 OK",
      "400 Bad Request",
      "200 OK",
      "404 Not Found",
      "201 Created",
    ]);
    expect([json.entry[1].resource, json.entry[3].resource]).toEqual([existing, existing]);
  });

  it("say the same in XML", async () => {
    const bundle = {
      resourceType: "Bundle",
      type: "batch",
      entry: [
        entryOf(inventedPatient()),
        entryOf(inventedPatient({ gender: "unheard-of" })),
        entryOf(inventedPatient()),
      ],
    };
    const { json } = await sendXml(base(), {
      method: "POST",
      body: JSON.stringify(bundle),
      headers: { "content-type": "application/fhir+json" },
    });
    expect(statuses(json.entry)).toEqual(["201 Created", "400 Bad Request", "201 Created"]);
    const { id } = json.entry[2].resource;
    expect((await send(`${base()}/Patient/${id}`)).json).toEqual(json.entry[2].resource);
  });

  it.each([
    ["a few", 3],
    ["so many that they are written in parts", 60],
  ])("of whom the database does not take one are stored but for that one: %s", async (_how, before) => {
    // An index that cannot be made for a patient who was born on that day.
    await onServer(service.databaseUrl, (client) =>
      client.query("CREATE INDEX untaken ON patient ((1 / (birth_from - date '1904-02-29')))"),
    );
    try {
      const untaken = inventedPatient({ birthDate: "1904-02-29" });
      const alone = await createAlone(base(), untaken);
      const entries = await create(base(), [...numbersOf(before), untaken, ...numbersOf(3)]);
      expect(alone.status).toBe(500);
      expect(statuses(entries)).toEqual([
        ...Array(before).fill("201 Created"),
        "500 Internal Server Error",
        ...Array(3).fill("201 Created"),
      ]);
    } finally {
      await onServer(service.databaseUrl, (client) => client.query("DROP INDEX untaken"));
    }
  });
});

describe("the core, asked for several patients at once", () => {
  it("leaves of each what a single creation leaves, and an entry of the trail for each refusal", async () => {
    const base = `${service.url}/fhir`;
    const before = await refusals();
    const alone = (await createAlone(base, inventedPatient())).json.id;
    const entries = await create(base, [
      ...numbersOf(2),
      inventedPatient({ gender: "unheard-of" }),
      inventedPatient({ gender: "unheard-of" }),
    ]);
    const ids = entries.flatMap(({ resource }) => resource?.id ?? []);
    const [single, ...others] = await Promise.all(
      [alone, ...ids].map((id) => rowsOfPatient(service.databaseUrl, id)),
    );
    expect(single).toMatchObject({ patient: 1, patient_history: 1, identifier: 1, audit_event: 1, chain: 1 });
    expect(others).toEqual([single, single]);
    expect((await refusals()) - before).toBe(2);
    const history = await send(`${base}/Patient/${ids[0]}/_history`);
    expect(history.text).toContain(doctor.organization);
    const feed = await send(`${base}/Patient/_history?_count=100`);
    const told = feed.json.entry.map(({ resource }: { resource: { id: string } }) => resource.id);
    expect(told).toEqual(expect.arrayContaining(ids));
  });

  it("answers with identities alone if no more is wanted, and takes no more than 200", async () => {
    const transport = transportAs(service.grpcPort);
    const patients = createClient(PatientService, transport);
    const given = [somebody(), { ...somebody(), name: [] }];
    const { results } = await patients.createPatients({ patients: given, identityOnly: true });
    const [stored, refused] = results.map(({ result }) => result);
    expect(stored).toMatchObject({ case: "patient", value: { etag: 'W/"1"', name: [], identifier: [] } });
    expect(refused).toMatchObject({ case: "refusal", value: { code: 3 } });
    const tooMany = Array.from({ length: 201 }, () => somebody());
    const refusal = await refusalOf(patients.createPatients({ patients: tooMany }));
    transport.close();
    expect(refusal.status).toBe("InvalidArgument");
  });

  it("is away: every entry says so", async () => {
    const gateway = await startGatewayApart("127.0.0.1:1");
    trusts(gateway.url, service.sandboxUrl);
    const entries = await create(`${gateway.url}/fhir`, [...numbersOf(2), inventedPatient({ gender: 1 })]);
    await gateway.stop();
    expect(statuses(entries)).toEqual([
      "503 Service Unavailable",
      "503 Service Unavailable",
      "400 Bad Request",
    ]);
  });
});

/** Entries of creations that were refused. */
async function refusals(): Promise<number> {
  return await onServer(service.databaseUrl, async (client) => {
    const { rows } = await client.query(
      "SELECT count(*)::int AS n FROM audit_event WHERE patient_id IS NULL",
    );
    return rows[0].n;
  });
}
