import { expect } from "vitest";
import type { HttpRequest } from "../../gateway/http-client.ts";
import { inventedPatient } from "../../gateway/invented-patient.ts";
import { outcomeFaults } from "../../gateway/outcome-faults.ts";
import { rule, type Topic } from "../rule.ts";
import type { Server } from "../server.ts";

const patient = () => JSON.stringify(inventedPatient());

/** A refusal of every status that clients can bring about, by how. */
const refusals: readonly (readonly [status: number, path: string, request: HttpRequest])[] = [
  [400, "/Patient", { method: "POST", body: "{" }],
  [400, "/Patient", { method: "POST" }],
  [400, "/Patient", { method: "POST", body: '{"resourceType":"Patient","colour":1}' }],
  [400, "/Patient?colour=red", {}],
  [400, "/Patient/%ZZ", {}],
  [400, "/Patient/1", { method: "PUT", body: patient(), headers: { "if-match": "none" } }],
  [401, "/Patient/1", { as: "nobody" }],
  [404, "/Patient/999999", {}],
  [404, "/Planet/1", {}],
  [404, "/Patient/$paint", { method: "POST", body: "{}" }],
  [405, "/Patient/1", { method: "DELETE" }],
  [406, "/Patient/1", { headers: { accept: "image/png" } }],
  [413, "/Patient", { method: "POST", body: " ".repeat(1_100_000) }],
  [415, "/Patient", { method: "POST", body: patient(), headers: { "content-type": "text/plain" } }],
];

async function faults(server: Server, headers: Record<string, string>): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const [status, path, request] of refusals) {
    const answer = await server.ask(path, { ...request, headers: { ...headers, ...request.headers } });
    const wrong = answer.status === status ? outcomeFaults(answer.text) : [answer.status];
    if (wrong.length > 0) found.push([path, ...wrong]);
  }
  return found;
}

export const refusing: Topic = {
  title: "OperationOutcome",
  file: "refusing.ts",
  rules: [
    rule(
      "operationoutcome.html",
      "every refusal, also of HTTP itself, is an OperationOutcome: 400, 401, 404, 405, 406, 413, 415",
      async (server) => {
        expect(await faults(server, {})).toEqual([]);
      },
    ),
    rule(
      "operationoutcome.html",
      "every refusal is valid by the XML schema where XML was asked for",
      async (server) => {
        expect(await faults(server, { accept: "application/fhir+xml" })).toEqual([]);
      },
    ),
    rule(
      "operationoutcome.html",
      "all that is wrong with a resource is said, each with a FHIRPath of where",
      async (server) => {
        const { json } = await server.post(
          "/Patient",
          inventedPatient({ gender: "none", active: "yes", birthDate: "1970-13-01", colour: 1 }),
        );
        const expressions = json.issue.flatMap((one: { expression: string[] }) => one.expression);
        expect(expressions.sort()).toEqual(["Patient.active", "Patient.birthDate", "Patient.colour"]);
      },
    ),
    rule(
      "operationoutcome.html",
      "an issue has severity, a code of IssueType, a coding and a text",
      async (server) => {
        const { json } = await server.ask("/Patient/999999");
        expect(json.issue).toEqual([
          {
            severity: "error",
            code: "not-found",
            details: { coding: [{ system: expect.any(String), code: "MPI-072" }], text: expect.any(String) },
            ...(json.issue[0].expression && { expression: expect.any(Array) }),
            ...(json.issue[0].diagnostics && { diagnostics: expect.any(String) }),
          },
        ]);
      },
    ),
    rule("languages.html", "texts come in the language that Accept-Language asks for", async (server) => {
      const textIn = async (language: string) => {
        const answer = await server.ask("/Patient/999999", { headers: { "accept-language": language } });
        return answer.json.issue[0].details.text;
      };
      expect(await textIn("et")).not.toBe(await textIn("en"));
      expect(await textIn("fr, et;q=0.5, en;q=0.1")).toBe(await textIn("et"));
    }),
  ],
};
