import { afterAll, beforeAll, expect, test } from "vitest";
import { allInteractions } from "../../../../gateway/routes/interactions.ts";
import { contact, maritalStatus } from "../../../atlas/dependents.ts";
import { type RunningService, startService } from "../../../service.ts";
import { send } from "../../http-client.ts";
import { inventedPatient } from "../../invented-patient.ts";
import { everybody, observationsOf, RR } from "../../registers/register-answers.ts";
import { sendXml } from "../../xml-client.ts";

let service: RunningService;
let base: string;

/** Ids by resource type. */
const ids: Record<string, string> = {};

/** Parameters of operations and searches that need some. */
const queries: Readonly<Record<string, (ids: Readonly<Record<string, string>>) => string>> = {
  "/Patient": ({ Patient }) => `?_id=${Patient}`,
  "/Patient/$lookup": () => "?identifier=39001010008",
  "/Patient/$foreign": () => "?identifier-country=FIN&family=Virtanen&given=Aino&birthdate=1980-02-03",
  "/RelatedPerson": ({ Patient }) => `?patient=Patient/${Patient}`,
  "/Observation": ({ Patient }) => `?patient=Patient/${Patient}`,
};

beforeAll(async () => {
  service = await startService();
  base = `${service.url}/fhir`;
  const store = async (resource: object) => {
    const { resourceType } = resource as { resourceType: string };
    const stored = await send(`${base}/${resourceType}`, { method: "POST", body: JSON.stringify(resource) });
    ids[resourceType] = stored.json.id;
  };
  await store(inventedPatient());
  await store(contact(`Patient/${ids["Patient"]}`));
  await store(maritalStatus(`Patient/${ids["Patient"]}`));
  for (const type of ["StructureDefinition", "OperationDefinition", "SearchParameter"]) {
    ids[type] = (await send(`${base}/${type}`)).json.entry.at(-1).resource.id;
  }
});

afterAll(() => service.stop());

const reads = allInteractions().filter(({ method }) => method === "GET");

test.each(reads.map(({ path, resourceType = "" }) => ({ path, resourceType })))(
  "GET $path says in valid XML what it says in JSON",
  async ({ path, resourceType }) => {
    const named = path.replace(":id", ids[resourceType] ?? "0").replace(":version", "1");
    const query = queries[path]?.(ids) ?? (path.includes("$") ? `?patient=Patient/${ids["Patient"]}` : "");
    const headers = { "x-road-issue": "a test" };
    const xml = await sendXml(`${base}${named}${query}`, { headers });
    const json = await send(`${base}${named}${query}`, { headers });
    expect([xml.status, lasting(xml.json)]).toEqual([json.status, lasting(json.json)]);
  },
);

test.each<[operation: string, note: string]>([
  ["name", "capacity T1"],
  ["legal-status", "capacity T1"],
  ["legal-guardian&legal-status=58626002", "ward of a person"],
  ["legal-relationship", "custody H11; minor"],
  ["power-of-attorney", "custody H11; minor"],
  ["education", "capacity T1"],
  ["disability", "disability"],
  ["incapacity-for-work", "capacity for work Taielik"],
  ["occupation", "KESKMINE_PUUE; guardian"],
])("what registers say by $%s is valid XML, contained resources and all", async (operation, note) => {
  const code = everybody.find((person) => person.note?.includes(note))?.personalCode;
  const headers = { "x-road-issue": "a test" };
  expect((await sendXml(`${base}/Patient/$lookup?identifier=${code}&source=${RR}`, { headers })).status).toBe(
    200,
  );
  const [name, more] = operation.split("&");
  const url = `${base}/Patient/$${name}?patient.identifier=${code}${more === undefined ? "" : `&${more}`}`;
  const xml = await sendXml(url, { headers });
  expect([xml.status, lasting(xml.json)]).toEqual([200, lasting((await send(url, { headers })).json)]);
  expect(xml.json.resourceType === "Parameters" || observationsOf(xml).length > 0).toBe(true);
});

/** Without the moment of an answer and ids made for it. */
function lasting(json: unknown): unknown {
  const text = JSON.stringify(json);
  return JSON.parse(
    text
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "uuid")
      .replace(/"issued":"[^"]*"/g, '"issued":"now"'),
  );
}
