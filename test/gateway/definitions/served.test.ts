import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { servedStructures } from "../../../gateway/definitions/index.ts";
import { type RunningService, startService } from "../../service.ts";
import { schemaFaults } from "../fhir/xml/schema.ts";
import { send } from "../http-client.ts";

let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  await service.stop();
});

describe("our StructureDefinitions over HTTP", () => {
  it.each(servedStructures)("$id is read by its id, in XML too", async ({ id, json: definition }) => {
    const url = `${service.url}/fhir/StructureDefinition/${id}`;
    const { status, json } = await send(url);
    expect(status).toBe(200);
    expect(json).toEqual(definition);
    expect(schemaFaults((await send(`${url}?_format=xml`)).text)).toEqual([]);
  });

  it("are found all, by canonical URL and by type", async () => {
    const base = `${service.url}/fhir/StructureDefinition`;
    expect((await send(base)).json.total).toBe(servedStructures.length);
    const url = "https://fhir.ee/mpi/StructureDefinition/ee-mpi-patient-newborn";
    const found = (await send(`${base}?url=${encodeURIComponent(url)}`)).json;
    expect(found.entry.map((entry: { resource: { id: string } }) => entry.resource.id)).toEqual([
      "ee-mpi-patient-newborn",
    ]);
    expect((await send(`${base}?type=Observation`)).json.total).toBe(9);
  });

  it("that do not exist are not found", async () => {
    const { status, json } = await send(`${service.url}/fhir/StructureDefinition/other`);
    expect(status).toBe(404);
    expect(json.issue[0].code).toBe("not-found");
  });

  it("are what the CapabilityStatement says that patients may claim", async () => {
    const { json } = await send(`${service.url}/fhir/metadata`);
    const patient = json.rest[0].resource.find(({ type }: { type: string }) => type === "Patient");
    expect(patient.supportedProfile).toHaveLength(4);
    for (const canonical of patient.supportedProfile) {
      const { json: found } = await send(`${service.url}/fhir/StructureDefinition?url=${canonical}`);
      expect(found.total).toBe(1);
    }
  });
});

describe("a search of definitions", () => {
  const types = ["StructureDefinition", "OperationDefinition", "SearchParameter"];
  const linkOf = (json: { link: { relation: string; url: string }[] }, relation: string) =>
    json.link.find((link) => link.relation === relation)?.url ?? "";
  const idsOf = (json: { entry?: { resource: { id: string } }[] }) =>
    (json.entry ?? []).map(({ resource }) => resource.id);

  it.each(types)("of %s has links that find the same, whatever form was asked for", async (type) => {
    const { json } = await send(`${service.url}/fhir/${type}?_format=json&_pretty=true`);
    for (const { url } of json.link) {
      const followed = await send(url);
      expect([url, followed.status, idsOf(followed.json)]).toEqual([url, 200, idsOf(json)]);
    }
    expect(linkOf(json, "self")).not.toMatch(/_format|_pretty/);
  });

  it("takes several values of a parameter, of which any fits", async () => {
    const { json } = await send(`${service.url}/fhir/SearchParameter?_id=Patient-id,Patient-active`);
    expect(idsOf(json).sort()).toEqual(["Patient-active", "Patient-id"]);
  });

  it("comes in pages of _count, which the links lead through", async () => {
    const all = idsOf((await send(`${service.url}/fhir/OperationDefinition`)).json);
    const seen: string[] = [];
    for (let url = `${service.url}/fhir/OperationDefinition?_count=7`; url !== ""; ) {
      const { json } = await send(url);
      expect(json.total).toBe(all.length);
      expect(idsOf(json).length).toBeLessThanOrEqual(7);
      seen.push(...idsOf(json));
      url = linkOf(json, "next");
    }
    expect(seen).toEqual(all);
  });

  it("with _count=0 is the total alone", async () => {
    const { json } = await send(`${service.url}/fhir/StructureDefinition?_count=0`);
    expect([json.total, json.entry]).toEqual([servedStructures.length, undefined]);
  });

  it.each(["101", "10000000000", "9".repeat(30), "000000000101"])(
    "holds as many as there are with _count=%s",
    async (count) => {
      const { json } = await send(`${service.url}/fhir/StructureDefinition?_count=${count}`);
      expect(json.entry).toHaveLength(servedStructures.length);
    },
  );

  it.each(["_count=many", "_page=0", "_page=x", "_id=", "url=,", "code=active,", "base=%20"])(
    "is refused by %s (MPI-015)",
    async (query) => {
      const { status, json } = await send(`${service.url}/fhir/SearchParameter?${query}`);
      expect([status, json.issue[0].details.coding[0].code]).toEqual([400, "MPI-015"]);
      expect(json.issue[0].expression).toEqual([`http.${query.split("=")[0]}`]);
    },
  );

  it("tells what it ignored under lenient handling, and leaves it out of its links", async () => {
    const { json } = await send(`${service.url}/fhir/SearchParameter?_id=Patient-id&colour=red`, {
      headers: { prefer: "handling=lenient" },
    });
    expect([json.total, linkOf(json, "self")]).toEqual([1, expect.not.stringContaining("colour")]);
    expect(json.entry[1].search.mode).toBe("outcome");
    expect(json.entry[1].resource.issue).toMatchObject([
      { severity: "warning", details: { coding: [{ code: "MPI-015" }] }, expression: ["http.colour"] },
    ]);
  });
});
