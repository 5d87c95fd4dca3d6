import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onServer } from "../database.ts";
import { type RunningService, startService } from "../service.ts";
import { marriageOf, spouseOf } from "./family.ts";
import { codesIn, codesOf, type HttpAnswer, send } from "./http-client.ts";
import { inventedPatient } from "./invented-patient.ts";

// One record that does not open (MPI-003) keeps nobody from those that it stands beside.

type Json = Record<string, unknown>;

interface Entry {
  readonly resource: { readonly id: string; readonly resourceType: string };
  readonly search?: { readonly mode: string };
}

let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  await service.stop();
});

describe("an unreadable record among those that may be somebody", () => {
  const system = "https://fhir.ee/sid/pid/fin/ni";
  const family = "Ylikangas";
  let broken: string;
  let whole: string;

  beforeAll(async () => {
    const person = () =>
      inventedPatient({
        identifier: [{ system, value: randomUUID() }],
        name: [{ use: "official", family, given: ["Kaarina"] }],
        birthDate: "1951-02-03",
      });
    [broken, whole] = [await create("Patient", person()), await create("Patient", person())];
    await spoil(broken);
  });

  it("is named beside the matches of $match, and has an entry in the trail", async () => {
    const resource = {
      resourceType: "Patient",
      name: [{ family, given: ["Kaarina"] }],
      birthDate: "1951-02-03",
    };
    const answer = await post("Patient/$match", {
      resourceType: "Parameters",
      parameter: [{ name: "resource", resource }],
    });
    expect([answer.status, answer.json.total]).toEqual([200, 1]);
    expect(shownIn(answer)).toEqual([whole]);
    expect(namedIn(answer)).toEqual([`Patient.where(id = '${broken}')`]);
    expect(answer.json.entry.at(-1).search).toEqual({ mode: "outcome" });
    expect(await looksAt(broken)).toBe(1);
  });

  it("is named beside the patients of $foreign", async () => {
    const answer = await get(`Patient/$foreign?identifier-country=FIN&family=${family}&given=Kaarina`);
    expect(answer.status).toBe(200);
    expect(shownIn(answer)).toEqual([whole]);
    expect(namedIn(answer)).toEqual([`Patient.where(id = '${broken}')`]);
  });
});

describe("an unreadable patient among those of one number", () => {
  const value = randomUUID();
  const query = `identifier=https://fhir.ee/sid/pid/fin%7C${value}`;
  const holding = (type: string) =>
    inventedPatient({
      identifier: [
        { system: "https://fhir.ee/sid/pid/fin/ni", value: type === "ni" ? value : randomUUID() },
        { system: "https://fhir.ee/sid/pid/fin/ppn", value: type === "ppn" ? value : randomUUID() },
      ],
    });
  let broken: string;

  beforeAll(async () => {
    await create("Patient", holding("ni"));
    broken = await create("Patient", holding("ppn"));
    await spoil(broken);
  });

  it("refuses $lookup, which says who it is, and has an entry in the trail", async () => {
    const answer = await get(`Patient/$lookup?${query}`);
    expect([answer.status, codesOf(answer)]).toEqual([500, ["MPI-003"]]);
    expect(answer.json.issue[0].expression).toEqual([`Patient.where(id = '${broken}')`]);
    expect(await looksAt(broken)).toBe(1);
  });

  it("is named beside the other one by a search", async () => {
    const answer = await get(`Patient?${query}`);
    expect([answer.status, answer.json.total]).toEqual([200, 2]);
    expect(namedIn(answer)).toEqual([`Patient.where(id = '${broken}')`]);
  });
});

describe("an unreadable patient that a condition of a transaction fits", () => {
  it("is not stored a second time", async () => {
    const patient = inventedPatient();
    const [identifier] = patient["identifier"] as { system: string; value: string }[];
    await spoil(await create("Patient", patient));
    const ifNoneExist = `identifier=${identifier?.system}|${identifier?.value}`;
    const entry = [{ resource: inventedPatient(), request: { method: "POST", url: "Patient", ifNoneExist } }];
    const answer = await post("", { resourceType: "Bundle", type: "transaction", entry });
    expect([answer.status, codesOf(answer)]).toEqual([500, ["MPI-003"]]);
  });
});

describe("an unreadable secondary", () => {
  let primary: string;
  let secondary: string;

  beforeAll(async () => {
    [primary, secondary] = [
      await create("Patient", inventedPatient()),
      await create("Patient", inventedPatient()),
    ];
    await link(secondary, primary);
    await spoil(secondary);
  });

  it("is MPI-003 alone; its primary is shown with the link, without its identifiers", async () => {
    const alone = await get(`Patient/${secondary}`);
    expect([alone.status, codesOf(alone)]).toEqual([500, ["MPI-003"]]);
    const { status, json } = await get(`Patient/${primary}`);
    expect([status, json.identifier.length]).toEqual([200, 1]);
    expect(json.link).toMatchObject([{ other: { reference: `Patient/${secondary}` }, type: "replaces" }]);
    expect((await get(`Patient/${primary}/_history`)).status).toBe(200);
  });

  it("is named once by a search that shows its primary", async () => {
    const answer = await get(`Patient?_id=${primary}`);
    expect([answer.status, answer.json.total]).toEqual([200, 1]);
    expect(shownIn(answer)).toEqual([primary]);
    expect(namedIn(answer)).toEqual([`Patient.where(id = '${secondary}')`]);
    const both = await get(`Patient?_id=${primary},${secondary}`);
    expect(both.json.total).toBe(2);
    expect(namedIn(both)).toEqual([`Patient.where(id = '${secondary}')`]);
  });

  it("does not take the place of its primary in the change feed", async () => {
    const { json } = await get("Patient/_history?_sort=_lastUpdated&_count=100");
    const ofPrimary = json.entry.filter(({ fullUrl }: { fullUrl: string }) =>
      fullUrl.endsWith(`/${primary}`),
    );
    expect(ofPrimary.map(({ resource }: Entry) => resource?.id)).toEqual([primary, primary]);
  });
});

describe("an unreadable member of a linked group", () => {
  let healthy: string;
  let contact: string;

  beforeAll(async () => {
    healthy = await create("Patient", inventedPatient());
    const broken = await create("Patient", inventedPatient());
    contact = await create("RelatedPerson", spouseOf(`Patient/${healthy}`));
    const ofBroken = await create("RelatedPerson", spouseOf(`Patient/${broken}`));
    await link(broken, healthy);
    await spoil(broken);
    await spoil(ofBroken);
  });

  it("keeps nobody from writing the contact persons and observations of another member", async () => {
    const created = await create("RelatedPerson", spouseOf(`Patient/${healthy}`));
    const { json } = await get(`RelatedPerson/${created}`);
    const path = `RelatedPerson/${created}`;
    const changed = await send(`${service.url}/fhir/${path}`, {
      method: "PUT",
      headers: { "if-match": 'W/"1"' },
      body: JSON.stringify({ ...json, language: "et" }),
    });
    expect([changed.status, codesOf(changed)]).toEqual([200, []]);
    await create("Observation", marriageOf(`Patient/${healthy}`, { focus: [{ reference: path }] }));
    expect((await remove(path)).status).toBe(204);
  });

  it("is not asked for by a deletion, as its patient's own records are not", async () => {
    await spoil(healthy);
    expect((await remove(`RelatedPerson/${contact}`)).status).toBe(204);
  });
});

describe("an unreadable contact person", () => {
  let patient: string;
  let broken: string;
  let whole: string;

  beforeAll(async () => {
    patient = await create("Patient", inventedPatient());
    const contact = () => spouseOf(`Patient/${patient}`);
    [broken, whole] = [await create("RelatedPerson", contact()), await create("RelatedPerson", contact())];
    await spoil(broken);
  });

  it("stands in a search as MPI-003, counted, beside the others, and its patient in the trail", async () => {
    const answer = await get(`RelatedPerson?patient=${patient}`);
    expect([answer.status, answer.json.total]).toEqual([200, 2]);
    expect(shownIn(answer)).toEqual([whole]);
    expect(namedIn(answer)).toEqual([`RelatedPerson.where(id = '${broken}')`]);
    expect(await looksAt(patient)).toBe(1);
  });

  it("is not named by a page that it is not on", async () => {
    const query = `RelatedPerson?patient=${patient}&_sort=_lastUpdated&_count=1`;
    const [first, second] = [await get(query), await get(`${query}&_page=2`)];
    expect([shownIn(first), namedIn(first)]).toEqual([[], [`RelatedPerson.where(id = '${broken}')`]]);
    expect([shownIn(second), namedIn(second)]).toEqual([[whole], []]);
  });

  it("keeps new ones of the same patient away, since whom it names cannot be told", async () => {
    const answer = await post("RelatedPerson", spouseOf(`Patient/${patient}`));
    expect([answer.status, codesOf(answer)]).toEqual([500, ["MPI-003"]]);
  });

  it("keeps a condition that may fit it from being taken for unmet, in a transaction too", async () => {
    const request = { method: "POST", url: "RelatedPerson", ifNoneExist: `patient=${patient}&active=false` };
    const entry = [{ resource: spouseOf(`Patient/${patient}`), request }];
    const answer = await post("", { resourceType: "Bundle", type: "transaction", entry });
    expect([answer.status, codesOf(answer)]).toEqual([500, ["MPI-003"]]);
  });

  it("is found with the others where the patient itself is unreadable", async () => {
    await spoil(patient);
    const answer = await get(`RelatedPerson?patient=${patient}`);
    expect([answer.status, shownIn(answer)]).toEqual([200, [whole]]);
  });
});

async function link(source: string, target: string): Promise<void> {
  const parameter = [
    { name: "source-patient", valueReference: { reference: `Patient/${source}` } },
    { name: "target-patient", valueReference: { reference: `Patient/${target}` } },
  ];
  expect((await post("Patient/$link", { resourceType: "Parameters", parameter })).status).toBe(200);
}

async function create(type: string, body: object): Promise<string> {
  const { status, json } = await post(type, body as Json);
  expect([status, codesIn(json)]).toEqual([201, []]);
  return json.id;
}

function post(path: string, body: Json): Promise<HttpAnswer> {
  return send(`${service.url}/fhir${path && "/"}${path}`, { method: "POST", body: JSON.stringify(body) });
}

function get(path: string): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/${path}`);
}

function remove(path: string): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/${path}`, { method: "DELETE" });
}

function entriesOf({ json }: HttpAnswer): readonly Entry[] {
  return json.entry ?? [];
}

function shownIn(answer: HttpAnswer): string[] {
  return entriesOf(answer)
    .filter(({ resource }) => resource.resourceType !== "OperationOutcome")
    .map(({ resource }) => resource.id);
}

/** The expressions of what is said beside what is shown, all of it MPI-003. */
function namedIn(answer: HttpAnswer): string[] {
  const outcomes = entriesOf(answer).filter(({ resource }) => resource.resourceType === "OperationOutcome");
  return outcomes.flatMap(({ resource }) => {
    const { issue } = resource as unknown as { issue: { expression: string[] }[] };
    expect(new Set(codesIn(resource))).toEqual(new Set(["MPI-003"]));
    return issue.flatMap(({ expression }) => expression);
  });
}

/** The identifiers of a patient, or of a contact person, do not open from now on. */
async function spoil(id: string): Promise<void> {
  await onServer(service.databaseUrl, (client) =>
    client.query(
      `UPDATE identifier_value SET ciphertext = set_bit(ciphertext, 300, 1 - get_bit(ciphertext, 300)) WHERE owner = $1`,
      [id],
    ),
  );
}

/** How many entries the trail has of looks at a patient. */
async function looksAt(id: string): Promise<number> {
  return await onServer(service.databaseUrl, async (client) => {
    const { rows } = await client.query(
      "SELECT count(*)::int AS n FROM audit_event WHERE patient_id = $1 AND stream_id <> $1",
      [id],
    );
    return rows[0].n;
  });
}
