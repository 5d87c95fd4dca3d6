import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../../../service.ts";
import { spouseOf } from "../../family.ts";
import { type HttpAnswer, send } from "../../http-client.ts";
import { inventedPatient } from "../../invented-patient.ts";

type Json = Record<string, unknown>;
type Stored = Json & { readonly id: string; readonly identifier: readonly Identifier[] };
interface Identifier {
  readonly system: string;
  readonly value: string;
}

let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

describe("a transaction in which a creation finds what another entry changes", () => {
  it("answers both with the patient as it is in the end, whatever their order", async () => {
    const patient = await stored(inventedPatient());
    const entries = [foundCreation(patient), replacement({ ...patient, gender: "other" })];
    for (const entry of [entries, entries.toReversed()]) {
      expect(await transaction(entry)).toEqual([await entryOf(patient), await entryOf(patient)]);
    }
    expect((await read(patient)).json.meta.versionId).toBe("3");
  });

  it("answers so after a patch, and with a contact person too", async () => {
    const patient = await stored(inventedPatient());
    const contact = await stored(spouseOf(`Patient/${patient.id}`));
    const criteria = `patient=Patient/${patient.id}`;
    const answers = await transaction([
      foundCreation(patient),
      foundCreation(contact, criteria),
      patch(patient, { op: "replace", path: "/gender", value: "other" }),
      replacement({ ...contact, birthDate: "1980-02-03" }),
    ]);
    const [ofPatient, ofContact] = [await entryOf(patient), await entryOf(contact)];
    expect(answers).toEqual([ofPatient, ofContact, ofPatient, ofContact]);
  });

  it("answers with a primary as what its secondary is given leaves it", async () => {
    const [primary, secondary] = [await stored(inventedPatient()), await stored(inventedPatient())];
    await link(secondary, primary);
    const identifier = [...secondary.identifier, { system: "https://fhir.ee/sid/pid/nor/ni", value: "1" }];
    const answers = await transaction([foundCreation(primary), replacement({ ...secondary, identifier })]);
    expect(answers).toEqual([await entryOf(primary), await entryOf(secondary)]);
  });

  it("is refused where the other entry deletes it, and deletes nothing", async () => {
    const patient = await stored(inventedPatient());
    const contact = await stored(spouseOf(`Patient/${patient.id}`));
    const entry = [
      foundCreation(contact, `patient=Patient/${patient.id}`),
      { request: { method: "DELETE", url: addressOf(contact) } },
    ];
    const { status, json } = await post("", { resourceType: "Bundle", type: "transaction", entry });
    expect([status, json.issue[0].expression]).toEqual([410, ["Bundle.entry[0]"]]);
    expect((await read(contact)).status).toBe(200);
  });
});

function foundCreation(resource: Stored, ifNoneExist = criteriaOf(resource)): Json {
  const { id: _id, ...given } = resource;
  return { resource: given, request: { method: "POST", url: resource["resourceType"], ifNoneExist } };
}

function criteriaOf({ identifier: [first] }: Stored): string {
  return `identifier=${encodeURIComponent(`${first?.system}|${first?.value}`)}`;
}

function replacement(resource: Stored): Json {
  return { resource, request: { method: "PUT", url: addressOf(resource) } };
}

function patch(resource: Stored, operation: Json): Json {
  const data = Buffer.from(JSON.stringify([operation])).toString("base64");
  const binary = { resourceType: "Binary", contentType: "application/json-patch+json", data };
  return { resource: binary, request: { method: "PATCH", url: addressOf(resource) } };
}

/** What an entry is answered that leaves a resource as it is now. */
async function entryOf(resource: Stored): Promise<Json> {
  const { headers, json } = await read(resource);
  const version = json.meta.versionId;
  return {
    resource: json,
    response: {
      status: "200 OK",
      location: expect.stringMatching(new RegExp(`/${addressOf(resource)}/_history/${version}$`)),
      etag: headers.get("etag"),
      lastModified: json.meta.lastUpdated,
    },
  };
}

async function transaction(entry: readonly Json[]): Promise<Json[]> {
  const { status, json } = await post("", { resourceType: "Bundle", type: "transaction", entry });
  expect(status).toBe(200);
  return json.entry;
}

async function stored(resource: Json): Promise<Stored> {
  return (await post(`/${resource["resourceType"]}`, resource)).json;
}

async function link(secondary: Stored, primary: Stored): Promise<void> {
  const parameter = [
    { name: "source-patient", valueReference: { reference: addressOf(secondary) } },
    { name: "target-patient", valueReference: { reference: addressOf(primary) } },
  ];
  expect((await post("/Patient/$link", { resourceType: "Parameters", parameter })).status).toBe(200);
}

const addressOf = (resource: Stored) => `${resource["resourceType"]}/${resource.id}`;
const read = (resource: Stored) => send(`${service.url}/fhir/${addressOf(resource)}`);
const post = (path: string, body: Json): Promise<HttpAnswer> =>
  send(`${service.url}/fhir${path}`, { method: "POST", body: JSON.stringify(body) });
