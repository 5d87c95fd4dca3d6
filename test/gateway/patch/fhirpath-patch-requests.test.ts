import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FhirJson, writeXml } from "../../../gateway/fhir/index.ts";
import { contact } from "../../atlas/dependents.ts";
import { type RunningService, startService } from "../../service.ts";
import { schemaFaults } from "../fhir/xml/schema.ts";
import { type HttpAnswer, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";
import { type Json, operation, parameters } from "./patch-parameters.ts";

let service: RunningService;
let base: string;

beforeAll(async () => {
  service = await startService();
  base = `${service.url}/fhir`;
});

afterAll(() => service.stop());

async function stored(resource: object): Promise<HttpAnswer["json"]> {
  const { resourceType } = resource as Json;
  return (await send(`${base}/${resourceType}`, { method: "POST", body: JSON.stringify(resource) })).json;
}

function patch(
  { resourceType, id }: Json,
  body: Json,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  const isXml = headers["content-type"] === "application/fhir+xml";
  return send(`${base}/${resourceType}/${id}`, {
    method: "PATCH",
    headers: { "content-type": "application/fhir+json", ...headers },
    body: isXml ? writeXml(body as FhirJson) : JSON.stringify(body),
  });
}

const toOther = operation("replace", { path: "Patient.gender", value: { valueCode: "other" } });

describe("a FHIRPath Patch", () => {
  test("of a patient makes the next version, in which nothing else is changed", async () => {
    const before = await stored(inventedPatient({ active: true }));
    const { status, headers, json } = await patch(
      before,
      parameters(
        toOther,
        operation("insert", { path: "Patient.name[0].given", index: 0, value: { valueString: "Anna" } }),
        operation("add", {
          path: "Patient.name.where(use = 'official')",
          name: "prefix",
          value: { valueString: "Dr" },
        }),
        operation("delete", { path: "Patient.active" }),
      ),
    );
    expect([status, headers.get("etag")]).toEqual([200, 'W/"2"']);
    const { active, ...rest } = before;
    expect(json).toEqual({
      ...rest,
      meta: { ...before.meta, versionId: "2", lastUpdated: json.meta.lastUpdated },
      gender: "other",
      name: [{ ...before.name[0], given: ["Anna", "Aino"], prefix: ["Dr"] }],
    });
  });

  test("comes in XML and is answered in XML, too", async () => {
    const before = await stored(inventedPatient());
    const xml = { "content-type": "application/fhir+xml", accept: "application/fhir+xml" };
    const answer = await patch(before, parameters(toOther), xml);
    expect([answer.status, schemaFaults(answer.text)]).toEqual([200, []]);
    expect(answer.text).toContain('<gender value="other"/>');
    const refused = await patch(before, parameters(operation("delete", { path: "Patient.nom" })), xml);
    expect([refused.status, schemaFaults(refused.text)]).toEqual([400, []]);
    expect(refused.text).toContain('<expression value="Parameters.parameter[0]"/>');
  });

  test("of a contact person", async () => {
    const patient = await stored(inventedPatient());
    const person = await stored(contact(`Patient/${patient.id}`));
    const end = { path: "RelatedPerson.period", name: "end", value: { valueDateTime: "2024-05-05" } };
    const { status, json } = await patch(person, parameters(operation("add", end)));
    expect([status, json.period]).toEqual([200, { start: "2019-08-01", end: "2024-05-05" }]);
  });

  test("is done to the version that If-Match names, or not at all", async () => {
    const before = await stored(inventedPatient());
    expect((await patch(before, parameters(toOther), { "if-match": 'W/"1"' })).status).toBe(200);
    expect((await patch(before, parameters(toOther), { "if-match": 'W/"1"' })).status).toBe(412);
    expect((await send(`${base}/Patient/${before.id}`)).json.meta.versionId).toBe("2");
  });

  test("without If-Match none of many at once is lost", async () => {
    const before = await stored(inventedPatient());
    const given = ["A", "B", "C", "D"];
    const answers = await Promise.all(
      given.map((name) =>
        patch(
          before,
          parameters(
            operation("insert", { path: "Patient.name[0].given", index: 0, value: { valueString: name } }),
          ),
        ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { json } = await send(`${base}/Patient/${before.id}`);
    expect([...json.name[0].given].sort()).toEqual([...given, "Aino"].sort());
  });

  test("is an entry of a batch", async () => {
    const before = await stored(inventedPatient());
    const entry = {
      resource: parameters(toOther),
      request: { method: "PATCH", url: `Patient/${before.id}` },
    };
    const body = JSON.stringify({ resourceType: "Bundle", type: "batch", entry: [entry] });
    const { json } = await send(base, { method: "POST", body });
    expect([json.entry[0].response.status, json.entry[0].resource.gender]).toEqual(["200 OK", "other"]);
  });

  test.each<[what: string, patch: Json, status: number, expression: string]>([
    ["is malformed", parameters(toOther, operation("copy", {})), 400, "Parameters.parameter[1]"],
    [
      "cannot be done",
      parameters(operation("delete", { path: "name.given.nom" })),
      400,
      "Parameters.parameter[0]",
    ],
    [
      "leaves a resource that R5 does not know",
      parameters(operation("replace", { path: "Patient.gender", value: { valueCode: " x" } })),
      400,
      "Patient.gender",
    ],
    [
      "leaves a patient that the index does not take",
      parameters(operation("delete", { path: "Patient.name[0].family" })),
      400,
      "Patient.name[0].family",
    ],
    [
      "gives the patient another id",
      parameters(operation("replace", { path: "Patient.id", value: { valueId: "1" } })),
      400,
      "Patient.id",
    ],
    ["is a resource, but no Parameters", inventedPatient(), 400, "Parameters"],
  ])("that %s is refused as a whole, with the place at fault", async (_, body, status, expression) => {
    const before = await stored(inventedPatient());
    const answer = await patch(before, body);
    expect([answer.status, answer.json.issue[0].expression]).toEqual([status, [expression]]);
    expect((await send(`${base}/Patient/${before.id}`)).json).toEqual(before);
  });

  test("in which several operations are none is told all of them", async () => {
    const answer = await patch(
      await stored(inventedPatient()),
      parameters(
        operation("copy", {}),
        toOther,
        operation("delete", {}),
        operation("add", { path: "Patient" }),
      ),
    );
    const issues: { expression: string[] }[] = answer.json.issue;
    expect([answer.status, issues.flatMap(({ expression }) => expression)]).toEqual([
      400,
      ["Parameters.parameter[0]", "Parameters.parameter[2]", "Parameters.parameter[3]"],
    ]);
  });

  test("of nobody is MPI-072; JSON and XML of no kind of FHIR are no patches", async () => {
    const nobody = { resourceType: "Patient", id: "999999" };
    expect((await patch(nobody, parameters(toOther))).json.issue[0].details.coding[0].code).toBe("MPI-072");
    for (const type of ["application/json", "application/xml", "text/plain"]) {
      expect((await patch(nobody, parameters(toOther), { "content-type": type })).status).toBe(415);
    }
  });
});
