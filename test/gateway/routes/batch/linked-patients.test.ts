import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../../../service.ts";
import { send } from "../../http-client.ts";
import { inventedPatient } from "../../invented-patient.ts";

type Json = Record<string, unknown>;
type Patient = Json & { readonly id: string; readonly identifier: readonly Json[] };

let service: RunningService;
let primary: Patient;
let secondary: Patient;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

describe("a transaction that gives a secondary an identifier, and changes its primary", () => {
  const orders = [
    ["the secondary first", false],
    ["the primary first", true],
  ] as const;

  describe.each(orders)("%s", (_name, isReversed) => {
    const done = async (...entries: readonly Json[]) => {
      const entry = isReversed ? entries.toReversed() : entries;
      return (await post("", { resourceType: "Bundle", type: "transaction", entry })).status;
    };

    it("holds the primary to the version that it was at before", async () => {
      await link();
      const entries = [
        replacement({ ...secondary, identifier: [...secondary.identifier, anIdentifier()] }, 'W/"2"'),
        replacement({ ...primary, birthDate: "1991-01-01" }, 'W/"2"'),
      ];
      expect(await done(...entries)).toBe(200);
      expect(await shown()).toMatchObject({ birthDate: "1991-01-01", identifier: { length: 3 } });
    });

    it("answers with both as they are in the end, so that they can be changed further by what is answered", async () => {
      await link();
      const entry = [
        replacement({ ...secondary, identifier: [...secondary.identifier, anIdentifier()] }),
        replacement({ ...primary, birthDate: "1991-01-01" }),
      ];
      const answers = await answered(...(isReversed ? entry.toReversed() : entry));
      const inTheEnd = await Promise.all([secondary, primary].map(({ id }) => read(id)));
      for (const { headers, json } of inTheEnd) {
        expect(answers).toContainEqual({
          resource: json,
          response: expect.objectContaining({
            status: "200 OK",
            etag: headers.get("etag"),
            lastModified: json.meta.lastUpdated,
          }),
        });
      }
    });

    it("does patches of both", async () => {
      await link();
      const added = { op: "add", path: "/identifier/-", value: anIdentifier() };
      const changed = { op: "replace", path: "/birthDate", value: "1991-01-01" };
      expect(await done(patch(secondary, added), patch(primary, changed))).toBe(200);
      expect(await shown()).toMatchObject({ birthDate: "1991-01-01", identifier: { length: 3 } });
    });

    it("is refused for a version that the primary was not at", async () => {
      await link();
      const entries = [
        replacement({ ...secondary, identifier: [...secondary.identifier, anIdentifier()] }),
        replacement({ ...primary, birthDate: "1991-01-01" }, 'W/"3"'),
      ];
      expect(await done(...entries)).toBe(412);
      expect(await shown()).toMatchObject({ birthDate: "1980-02-03", identifier: { length: 2 } });
    });
  });
});

/** A secondary and its primary, both at their second version. */
async function link(): Promise<void> {
  secondary = (await post("/Patient", inventedPatient())).json;
  primary = (await post("/Patient", inventedPatient())).json;
  const parameter = [
    { name: "source-patient", valueReference: { reference: `Patient/${secondary.id}` } },
    { name: "target-patient", valueReference: { reference: `Patient/${primary.id}` } },
  ];
  expect((await post("/Patient/$link", { resourceType: "Parameters", parameter })).status).toBe(200);
}

async function answered(...entry: readonly Json[]): Promise<readonly Json[]> {
  return (await post("", { resourceType: "Bundle", type: "transaction", entry })).json.entry;
}

async function shown(): Promise<Json> {
  return (await read(primary.id)).json;
}

function read(id: string) {
  return send(`${service.url}/fhir/Patient/${id}`);
}

function post(path: string, body: Json) {
  return send(`${service.url}/fhir${path}`, { method: "POST", body: JSON.stringify(body) });
}

function replacement(resource: Patient, ifMatch?: string): Json {
  const condition = ifMatch === undefined ? {} : { ifMatch };
  return { resource, request: { method: "PUT", url: `Patient/${resource.id}`, ...condition } };
}

function patch({ id }: Patient, operation: Json): Json {
  const data = Buffer.from(JSON.stringify([operation])).toString("base64");
  const resource = { resourceType: "Binary", contentType: "application/json-patch+json", data };
  return { resource, request: { method: "PATCH", url: `Patient/${id}` } };
}

function anIdentifier(): Json {
  const [{ value }] = inventedPatient()["identifier"] as [Json];
  return { system: "https://fhir.ee/sid/pid/nor/ni", value };
}
