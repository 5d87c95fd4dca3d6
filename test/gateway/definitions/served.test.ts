import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { structureDefinitions } from "../../../gateway/definitions/index.ts";
import { type RunningService, startService } from "../../service.ts";
import { send } from "../http-client.ts";

let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  await service.stop();
});

describe("our StructureDefinitions over HTTP", () => {
  it.each([...structureDefinitions.keys()])("%s is read by its id", async (id) => {
    const { status, json } = await send(`${service.url}/fhir/StructureDefinition/${id}`);
    expect(status).toBe(200);
    expect(json).toEqual(structureDefinitions.get(id));
  });

  it("are found all, by canonical URL and by type", async () => {
    const base = `${service.url}/fhir/StructureDefinition`;
    expect((await send(base)).json.total).toBe(structureDefinitions.size);
    const url = "https://fhir.ee/mpi/StructureDefinition/ee-mpi-patient-newborn";
    const found = (await send(`${base}?url=${encodeURIComponent(url)}`)).json;
    expect(found.entry.map((entry: { resource: { id: string } }) => entry.resource.id)).toEqual([
      "ee-mpi-patient-newborn",
    ]);
    expect((await send(`${base}?type=Observation`)).json.total).toBe(1);
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
