import { expect } from "vitest";
import type { HttpAnswer } from "../../gateway/http-client.ts";
import { inventedPatient } from "../../gateway/invented-patient.ts";
import { rule, type Topic } from "../rule.ts";
import { tokenOf } from "../server.ts";

const SECTION = "resource-operation-validate.html";

const severities = ({ json }: HttpAnswer) => json.issue.map(({ severity }: { severity: string }) => severity);

export const validating: Topic = {
  title: "$validate",
  file: "validating.ts",
  rules: [
    rule(
      SECTION,
      "$validate of a valid resource answers 200 without an error, and stores nothing",
      async (server) => {
        const given = inventedPatient();
        const answer = await server.post("/Patient/$validate", given);
        expect([answer.status, answer.json.resourceType, severities(answer)]).toEqual([
          200,
          "OperationOutcome",
          ["information"],
        ]);
        expect((await server.ask(`/Patient?identifier=${tokenOf(given)}`)).json.total).toBe(0);
      },
    ),
    rule(SECTION, "$validate of an invalid resource answers 200 with all that is wrong", async (server) => {
      const wrong = inventedPatient({ gender: "none", telecom: [{ system: "phone", value: "1" }] });
      const answer = await server.post("/Patient/$validate", wrong);
      expect([answer.status, severities(answer)]).toEqual([200, ["error", "error"]]);
    }),
    rule(SECTION, "the resource may come as the parameter of that name", async (server) => {
      const parameter = [{ name: "resource", resource: inventedPatient({ gender: "none" }) }];
      const answer = await server.post("/Patient/$validate", { resourceType: "Parameters", parameter });
      expect(severities(answer)).toEqual(["error"]);
    }),
    rule(SECTION, "with mode=update it is held against what is stored", async (server) => {
      const stored = await server.storePatient();
      const answer = await server.post(`/Patient/${stored.id}/$validate?mode=update`, {
        ...stored,
        identifier: [],
      });
      expect(severities(answer)).toContain("error");
    }),
    rule(SECTION, "with mode=delete nothing is deleted", async (server) => {
      const { id } = await server.storeSpouse();
      const answer = await server.ask(`/RelatedPerson/${id}/$validate?mode=delete`);
      expect([answer.status, (await server.ask(`/RelatedPerson/${id}`)).status]).toEqual([200, 200]);
    }),
    rule(SECTION, "with profile the resource is held to that profile", async (server) => {
      const profile = "https://fhir.ee/mpi/StructureDefinition/ee-mpi-patient-newborn";
      expect(
        severities(await server.post(`/Patient/$validate?profile=${profile}`, inventedPatient())),
      ).toContain("error");
    }),
  ],
};
