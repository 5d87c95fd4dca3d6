import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import { encodeResource } from "../../gateway/fhir/index.ts";
import { onServer } from "../database.ts";
import { maritalStatus } from "../observations/examples.ts";
import { contactPerson } from "../related-persons/examples.ts";
import { type RunningService, startService } from "../service.ts";
import { codesIn, codesOf, type HttpAnswer, send } from "./http-client.ts";
import { inventedPatient } from "./invented-patient.ts";

interface Stored {
  readonly id: string;
  readonly identifier: readonly { readonly system: string; readonly value: string }[];
}

let service: RunningService;
let broken: Stored;
let whole: Stored;

beforeAll(async () => {
  service = await startService();
  [broken, whole] = [await store(), await store()];
  await run(
    "UPDATE identifier_value SET ciphertext = set_bit(ciphertext, 300, 1 - get_bit(ciphertext, 300)) WHERE patient_id = $1",
    broken.id,
  );
});

afterAll(async () => {
  await service.stop();
});

describe("a patient whose sealed identifier does not open", () => {
  it("is refused with MPI-003 where it alone is asked for", async () => {
    for (const path of [
      `Patient/${broken.id}`,
      `Patient/${broken.id}/_history/1`,
      `Patient/${broken.id}/_history`,
    ]) {
      const answer = await get(path);
      expect([answer.status, codesOf(answer)]).toEqual([500, ["MPI-003"]]);
    }
    expect((await get(`Patient/${whole.id}`)).status).toBe(200);
  });

  it("is refused with MPI-003 to a write, whatever version it is of: it would be without If-Match", async () => {
    const body = JSON.stringify({ ...inventedPatient(), id: broken.id });
    for (const etag of ['W/"1"', 'W/"7"', "*"]) {
      const headers = { "if-match": etag };
      const answer = await send(`${service.url}/fhir/Patient/${broken.id}`, { method: "PUT", headers, body });
      expect([etag, answer.status, codesOf(answer)]).toEqual([etag, 500, ["MPI-003"]]);
    }
  });

  it("has no version that there never was, as any other", async () => {
    const { status, json } = await get(`Patient/${broken.id}/_history/99`);
    expect([status, codesIn(json)]).toEqual([404, ["MPI-079"]]);
  });

  it("stands in a search as MPI-003, beside the others", async () => {
    const { status, json } = await get(`Patient?_id=${broken.id},${whole.id}`);
    expect([status, json.total]).toEqual([200, 2]);
    const [match, outcome, ...more] = json.entry;
    expect(more).toEqual([]);
    expect(match.resource.id).toBe(whole.id);
    expect(outcome.search.mode).toBe("outcome");
    expect(codesIn(outcome.resource)).toEqual(["MPI-003"]);
    expect(outcome.resource.issue[0].expression).toEqual([`Patient.where(id = '${broken.id}')`]);
  });

  it("has an entry in the trail when a search names it, though it does not show it", async () => {
    const before = await entriesOf(broken);
    await get(`Patient?_id=${broken.id},${whole.id}`);
    expect(await entriesOf(broken)).toBe(before + 1);
  });

  it("is found by its identifier, and its identifier is still taken", async () => {
    const { json } = await get(`Patient?identifier=${tokenOf(broken)}`);
    expect([json.total, codesIn(json.entry[0].resource)]).toEqual([1, ["MPI-003"]]);
    const again = await create(inventedPatient({ identifier: broken.identifier }));
    expect([again.status, codesOf(again)]).toEqual([409, ["MPI-010"]]);
  });

  it("has its place in the change feed as MPI-003, and a reader gets past it", async () => {
    const { status, json } = await get("Patient/_history?_sort=_lastUpdated&_count=100");
    const entries = json.entry as { fullUrl: string; resource?: object; response: { outcome?: object } }[];
    const [first, second] = entries.filter(({ fullUrl }) => /Patient.(\d+)$/.test(fullUrl));
    expect(status).toBe(200);
    expect([first?.fullUrl.endsWith(`/${broken.id}`), first?.resource]).toEqual([true, undefined]);
    expect(codesIn(first?.response.outcome ?? {})).toEqual(["MPI-003"]);
    expect(second?.resource).toMatchObject({ id: whole.id });
  });

  it("is not stored a second time by a condition that it fits", async () => {
    const another = inventedPatient();
    const body = JSON.stringify(another);
    const refused = await send(`${service.url}/fhir/Patient`, {
      method: "POST",
      headers: { "if-none-exist": `identifier=${tokenOf(broken)}` },
      body,
    });
    expect([refused.status, codesOf(refused)]).toEqual([500, ["MPI-003"]]);
    const request = { method: "POST", url: "Patient", ifNoneExist: `identifier=${tokenOf(broken)}` };
    const bundle = { resourceType: "Bundle", type: "transaction", entry: [{ resource: another, request }] };
    const transaction = await send(`${service.url}/fhir`, { method: "POST", body: JSON.stringify(bundle) });
    expect([transaction.status, codesOf(transaction)]).toEqual([500, ["MPI-003"]]);
  });
});

describe("a contact person whose sealed identifier does not open", () => {
  it("has its place in the change feed as MPI-003, and a reader gets past it", async () => {
    const identifier = (value: string) => [{ system: "https://fhir.ee/sid/pid/fin/ni", value }];
    const ids: string[] = [];
    for (const value of ["020291-456B", "020291-457C"]) {
      const patient = { reference: `Patient/${(await store()).id}` };
      const contact = contactPerson({ identifier: identifier(value), patient });
      const body = JSON.stringify(encodeResource(RelatedPersonSchema, contact));
      const { status, json } = await send(`${service.url}/fhir/RelatedPerson`, { method: "POST", body });
      expect(status).toBe(201);
      ids.push(json.id);
    }
    await run(
      "UPDATE identifier_value SET ciphertext = set_bit(ciphertext, 300, 1 - get_bit(ciphertext, 300)) WHERE owner = $1",
      ids[0],
    );
    const { status, json } = await get("RelatedPerson/_history?_sort=_lastUpdated");
    expect(status).toBe(200);
    const [first, second] = json.entry;
    expect([first.fullUrl.endsWith(`/${ids[0]}`), first.resource]).toEqual([true, undefined]);
    expect(codesIn(first.response.outcome)).toEqual(["MPI-003"]);
    expect(second.resource.id).toBe(ids[1]);
  });
});

describe.each(["RelatedPerson", "Observation"])(
  "of type %s, one whose sealed identifier does not open",
  (type) => {
    let patient: { readonly reference: string };
    let id: string;

    beforeAll(async () => {
      patient = { reference: `Patient/${(await store()).id}` };
      id = (await storeBeside()).json.id;
      await run(
        "UPDATE identifier_value SET ciphertext = set_bit(ciphertext, 300, 1 - get_bit(ciphertext, 300)) WHERE owner = $1",
        id,
      );
    });

    function storeBeside(): Promise<HttpAnswer> {
      const identifier = [{ system: "https://fhir.ee/sid/pid/fin/ni", value: "020291-458D" }];
      const resource =
        type === "Observation"
          ? encodeResource(ObservationSchema, maritalStatus({ identifier, subject: patient }))
          : encodeResource(RelatedPersonSchema, contactPerson({ identifier, patient }));
      return send(`${service.url}/fhir/${type}`, { method: "POST", body: JSON.stringify(resource) });
    }

    function remove(version: number): Promise<HttpAnswer> {
      const headers = { "if-match": `W/"${version}"` };
      return send(`${service.url}/fhir/${type}/${id}`, { method: "DELETE", headers });
    }

    it("has no version that there never was, as any other, though it is MPI-003 itself", async () => {
      const [itself, never] = [await get(`${type}/${id}`), await get(`${type}/${id}/_history/99`)];
      expect([itself.status, codesOf(itself)]).toEqual([500, ["MPI-003"]]);
      expect([never.status, codesOf(never)]).toEqual([404, ["MPI-079"]]);
    });

    it("can be deleted and stored anew, and is not lost", async () => {
      expect((await remove(7)).status).toBe(412);
      expect((await remove(1)).status).toBe(204);
      expect((await get(`${type}/${id}`)).status).toBe(410);
      expect((await storeBeside()).status).toBe(201);
      expect(codesOf(await get(`${type}/${id}/_history/1`))).toEqual(["MPI-003"]);
    });
  },
);

describe("a key that is gone", () => {
  it("is MPI-003 for what is sealed under it alone", async () => {
    const lost = await store();
    await run("UPDATE identifier_value SET key_id = 'lost' WHERE patient_id = $1", lost.id);
    expect(codesOf(await get(`Patient/${lost.id}`))).toEqual(["MPI-003"]);
    expect((await get(`Patient/${whole.id}`)).status).toBe(200);
  });
});

async function store(): Promise<Stored> {
  const { status, json } = await create(inventedPatient());
  expect(status).toBe(201);
  return json;
}

function create(body: object): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/Patient`, { method: "POST", body: JSON.stringify(body) });
}

function get(path: string): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/${path}`);
}

function tokenOf({ identifier: [first] }: Stored): string {
  return encodeURIComponent(`${first?.system}|${first?.value}`);
}

async function run(statement: string, ...parameters: unknown[]): Promise<void> {
  await onServer(service.databaseUrl, (client) => client.query(statement, parameters));
}

/** How many entries the trail of a patient has. */
async function entriesOf({ id }: Stored): Promise<number> {
  return await onServer(service.databaseUrl, async (client) => {
    const { rows } = await client.query("SELECT count(*)::int AS n FROM audit_event WHERE patient_id = $1", [
      id,
    ]);
    return rows[0].n;
  });
}
