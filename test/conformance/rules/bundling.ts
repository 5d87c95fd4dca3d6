import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { spouseOf } from "../../gateway/family.ts";
import type { HttpAnswer } from "../../gateway/http-client.ts";
import { inventedPatient } from "../../gateway/invented-patient.ts";
import { rule, type Topic } from "../rule.ts";
import { type Json, refusal, type Server, tokenOf } from "../server.ts";

type BundleType = "batch" | "transaction";

function bundle(server: Server, type: BundleType, entry: readonly Json[]): Promise<HttpAnswer> {
  return server.post("", { resourceType: "Bundle", type, entry });
}

const creation = (resource: Json, more: Json = {}): Json => ({
  ...more,
  resource,
  request: { method: "POST", url: resource["resourceType"] },
});
const get = (url: string): Json => ({ request: { method: "GET", url } });

/** The text of the first issue of an outcome. */
const textOf = ({ issue }: { issue: [{ details: { text: string } }] }) => issue[0].details.text;

const statusesOf = ({ json }: HttpAnswer) =>
  json.entry.map(({ response }: { response: { status: string } }) => response.status.slice(0, 3));

export const bundling: Topic = {
  title: "Batch, transaction",
  file: "bundling.ts",
  rules: [
    rule(
      "http.html#transaction",
      "a batch answers 200 with a batch-response, an entry for each entry in its place",
      async (server) => {
        const { id } = await server.storePatient();
        const answer = await bundle(server, "batch", [
          get(`Patient/${id}`),
          creation(inventedPatient()),
          get("Patient/999999"),
        ]);
        expect([answer.status, answer.json.type]).toEqual([200, "batch-response"]);
        expect(statusesOf(answer)).toEqual(["200", "201", "404"]);
        expect(answer.json.entry[0].resource.id).toBe(id);
      },
    ),
    rule("json.html#null", "the answer to nothing has no entries, not an empty list", async (server) => {
      for (const type of ["batch", "transaction"] as const) {
        const { status, json } = await bundle(server, type, []);
        expect([status, json]).toEqual([200, { resourceType: "Bundle", type: `${type}-response` }]);
      }
    }),
    rule(
      "http.html#transaction",
      "what fails in a batch says so in its entry, and the others happen",
      async (server) => {
        const answer = await bundle(server, "batch", [
          creation({ ...inventedPatient(), gender: "none" }),
          creation(inventedPatient()),
        ]);
        const [refused, created] = answer.json.entry;
        expect(refused.response.outcome.resourceType).toBe("OperationOutcome");
        expect((await server.ask(created.response.location)).json).toEqual(created.resource);
      },
    ),
    rule(
      "http.html#transaction",
      "responses have status, and of what was stored location, etag and lastModified",
      async (server) => {
        const { json } = await bundle(server, "batch", [creation(inventedPatient())]);
        const [{ resource, response }] = json.entry;
        expect(response).toMatchObject({
          status: expect.stringMatching(/^201/),
          location: `${server.base}/Patient/${resource.id}/_history/1`,
          etag: 'W/"1"',
          lastModified: resource.meta.lastUpdated,
        });
      },
    ),
    rule(
      "http.html#transaction",
      "lastModified is meta.lastUpdated to the millisecond, also where the resource is not shown",
      async (server) => {
        const { id, meta } = await server.storePatient();
        for (const type of ["batch", "transaction"]) {
          const known = { request: { method: "GET", url: `Patient/${id}`, ifNoneMatch: 'W/"1"' } };
          const body = { resourceType: "Bundle", type, entry: [known, creation(inventedPatient())] };
          const { json } = await server.post("", body, { prefer: "return=minimal" });
          const [same, created] = json.entry;
          const stored = (await server.ask(created.response.location)).json;
          expect([same.resource, created.resource]).toEqual([undefined, undefined]);
          expect(same.response.lastModified).toBe(meta.lastUpdated);
          expect(created.response.lastModified).toBe(stored.meta.lastUpdated);
        }
      },
    ),
    rule(
      "http.html#transaction",
      "an entry may be a HEAD, which is answered without the resource, and may ask for metadata",
      async (server) => {
        const { id } = await server.storePatient();
        const head = { request: { method: "HEAD", url: `Patient/${id}` } };
        for (const type of ["batch", "transaction"] as const) {
          const answer = await bundle(server, type, [head, get("metadata")]);
          expect([type, statusesOf(answer)]).toEqual([type, ["200", "200"]]);
          const [first, second] = answer.json.entry;
          expect([first.resource, first.response.etag]).toEqual([undefined, 'W/"1"']);
          expect(second.resource.resourceType).toBe("CapabilityStatement");
        }
      },
    ),
    rule(
      "http.html#transaction",
      "what a path or a transaction does not offer is refused by its name, without ids",
      async (server) => {
        const { id } = await server.storePatient();
        const remove = { request: { method: "DELETE", url: `Patient/${id}` } };
        const link = {
          resource: { resourceType: "Parameters", parameter: [] },
          request: { method: "POST", url: "Patient/$link" },
        };
        const alone = await server.ask(`/Patient/${id}`, { method: "DELETE" });
        const [entry] = (await bundle(server, "batch", [remove])).json.entry;
        const refused = await bundle(server, "transaction", [link]);
        expect([textOf(alone.json), textOf(entry.response.outcome), textOf(refused.json)]).toEqual([
          expect.stringContaining("DELETE Patient/{id} "),
          expect.stringContaining("DELETE Patient/{id} "),
          expect.stringContaining("POST Patient/$link "),
        ]);
      },
    ),
    rule(
      "http.html#transaction",
      "a transaction answers 200 with a transaction-response in the order of the entries",
      async (server) => {
        const stored = await server.storePatient();
        const answer = await bundle(server, "transaction", [
          get(`Patient/${stored.id}`),
          {
            resource: { ...stored, gender: "other" },
            request: { method: "PUT", url: `Patient/${stored.id}` },
          },
          creation(inventedPatient()),
        ]);
        expect([answer.status, answer.json.type]).toEqual([200, "transaction-response"]);
        expect(statusesOf(answer)).toEqual(["200", "200", "201"]);
      },
    ),
    rule("http.html#trules", "of a transaction everything is stored, or nothing", async (server) => {
      const first = inventedPatient();
      const answer = await bundle(server, "transaction", [
        creation(first),
        creation({ ...inventedPatient(), gender: "none" }),
      ]);
      expect(refusal(answer)[0]).toBe(400);
      expect((await server.ask(`/Patient?identifier=${tokenOf(first)}`)).json.total).toBe(0);
    }),
    rule("http.html#trules", "a refused transaction names the entry that is to blame", async (server) => {
      const answer = await bundle(server, "transaction", [
        creation(inventedPatient()),
        creation({ ...inventedPatient(), gender: "none" }),
      ]);
      expect(answer.json.issue[0].expression[0]).toMatch(/^Bundle\.entry\[1\]/);
    }),
    rule("http.html#trules", "reads come last: they see what the transaction did", async (server) => {
      const stored = await server.storePatient();
      const { json } = await bundle(server, "transaction", [
        get(`Patient/${stored.id}`),
        { resource: { ...stored, gender: "other" }, request: { method: "PUT", url: `Patient/${stored.id}` } },
      ]);
      expect(json.entry[0].resource.gender).toBe("other");
    }),
    rule(
      "http.html#transaction",
      "a reference to the fullUrl of a new resource becomes its address",
      async (server) => {
        const fullUrl = `urn:uuid:${randomUUID()}`;
        const { json } = await bundle(server, "transaction", [
          creation(spouseOf(fullUrl)),
          creation(inventedPatient(), { fullUrl }),
        ]);
        const [spouse, patient] = json.entry;
        expect(spouse.resource.patient.reference).toBe(`Patient/${patient.resource.id}`);
      },
    ),
    rule(
      "bundle.html#references",
      "a relative reference is below the root of its entry's fullUrl: to a new resource of that fullUrl, not to what has the id here",
      async (server) => {
        const { id } = await server.storePatient();
        const root = "http://his.example/fhir";
        for (const reference of [`Patient/${id}`, `Patient/${id}/_history/1`]) {
          const { json } = await bundle(server, "transaction", [
            creation(inventedPatient(), { fullUrl: `${root}/Patient/${id}` }),
            creation(spouseOf(reference), { fullUrl: `${root}/RelatedPerson/7` }),
          ]);
          const [patient, spouse] = json.entry;
          expect(patient.resource.id).not.toBe(id);
          expect(spouse.resource.patient.reference).toBe(`Patient/${patient.resource.id}`);
        }
      },
    ),
    rule(
      "http.html#transaction",
      "a conditional reference becomes the address of the one that fits",
      async (server) => {
        const stored = await server.storePatient();
        const { json } = await bundle(server, "transaction", [
          creation(spouseOf(`Patient?identifier=${tokenOf(stored)}`)),
        ]);
        expect(json.entry[0].resource.patient.reference).toBe(`Patient/${stored.id}`);
      },
    ),
    rule(
      "http.html#transaction",
      "a conditional reference that nobody fits fails the transaction",
      async (server) => {
        const answer = await bundle(server, "transaction", [
          creation(spouseOf(`Patient?identifier=${tokenOf(inventedPatient())}`)),
        ]);
        expect(refusal(answer)[0]).toBe(400);
      },
    ),
    rule("http.html#ccreate", "ifNoneExist of an entry is If-None-Exist", async (server) => {
      const stored = await server.storePatient();
      const request = { method: "POST", url: "Patient", ifNoneExist: `identifier=${tokenOf(stored)}` };
      for (const type of ["batch", "transaction"] as const) {
        const answer = await bundle(server, type, [{ resource: inventedPatient(), request }]);
        expect([statusesOf(answer), answer.json.entry[0].resource.id]).toEqual([["200"], stored.id]);
      }
    }),
    rule("http.html#concurrency", "ifMatch of an entry is If-Match", async (server) => {
      const stored = await server.storePatient();
      const entry = {
        resource: stored,
        request: { method: "PUT", url: `Patient/${stored.id}`, ifMatch: 'W/"7"' },
      };
      expect(statusesOf(await bundle(server, "batch", [entry]))).toEqual(["412"]);
      expect((await bundle(server, "transaction", [entry])).status).toBe(412);
    }),
    rule("http.html#trules", "a resource that is in a transaction twice fails it", async (server) => {
      const stored = await server.storePatient();
      const entry = { resource: stored, request: { method: "PUT", url: `Patient/${stored.id}` } };
      expect(refusal(await bundle(server, "transaction", [entry, entry]))[0]).toBe(400);
    }),
    rule("http.html#transaction", "a Bundle of another type, or none, is refused", async (server) => {
      for (const body of [
        { resourceType: "Bundle", type: "collection" },
        { resourceType: "Bundle" },
        inventedPatient(),
      ]) {
        expect(refusal(await server.post("", body))[0]).toBe(400);
      }
    }),
  ],
};
