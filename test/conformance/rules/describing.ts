import { expect } from "vitest";
import { rule, type Topic } from "../rule.ts";

interface Claims {
  readonly type: string;
  readonly interaction: readonly { readonly code: string }[];
  readonly operation?: readonly { readonly name: string; readonly definition: string }[];
  readonly searchParam?: readonly { readonly name: string; readonly definition?: string }[];
  readonly supportedProfile?: readonly string[];
}

export const describing: Topic = {
  title: "CapabilityStatement, definitions",
  file: "describing.ts",
  rules: [
    rule(
      "http.html#capabilities",
      "GET metadata answers with a CapabilityStatement of FHIR 5.0.0, to anybody",
      async (server) => {
        const { status, json } = await server.ask("/metadata", { as: "nobody" });
        expect([status, json.resourceType, json.kind, json.fhirVersion]).toEqual([
          200,
          "CapabilityStatement",
          "instance",
          "5.0.0",
        ]);
      },
    ),
    rule("capabilitystatement.html", "it names both formats, and the forms of patches", async (server) => {
      const { json } = await server.ask("/metadata");
      expect(json.format).toEqual(expect.arrayContaining(["json", "xml"]));
      expect(json.patchFormat).toEqual(
        expect.arrayContaining(["application/json-patch+json", "application/fhir+json"]),
      );
    }),
    rule("capabilitystatement.html", "every type that it claims to read is read", async (server) => {
      const { json } = await server.ask("/metadata");
      const types: Claims[] = json.rest[0].resource;
      for (const { type, interaction } of types) {
        if (!interaction.some(({ code }) => code === "read")) continue;
        const answer = await server.ask(`/${type}/999999`);
        expect([type, answer.status, answer.json.issue[0].code]).toEqual([type, 404, "not-found"]);
      }
    }),
    rule(
      "capabilitystatement.html",
      "definitions that it refers to are served under their canonical URLs",
      async (server) => {
        const { json } = await server.ask("/metadata");
        const types: Claims[] = json.rest[0].resource;
        const canonicals = types.flatMap(({ operation = [], supportedProfile = [] }) => [
          ...supportedProfile,
          ...operation.map(({ definition }) => definition),
        ]);
        expect(canonicals.length).toBeGreaterThan(20);
        for (const canonical of new Set(canonicals)) {
          const type = canonical.split("/").at(-2);
          const found = await server.ask(`/${type}?url=${encodeURIComponent(canonical)}`);
          expect([canonical, found.json.total]).toEqual([canonical, 1]);
        }
      },
    ),
    rule(
      "http.html#capabilities",
      "the parameter mode is understood, and another one refused",
      async (server) => {
        expect((await server.ask("/metadata?mode=full")).json.resourceType).toBe("CapabilityStatement");
        expect((await server.ask("/metadata?colour=red")).status).toBe(400);
      },
    ),
    rule(
      "search.html#_summary",
      "metadata and definitions may be asked for with _summary, as by clients that check the version first",
      async (server) => {
        const read = "/StructureDefinition/ee-mpi-patient-verified";
        for (const path of ["/metadata", read, "/StructureDefinition"]) {
          const plain = await server.ask(path, { as: "nobody" });
          const { status, json } = await server.ask(`${path}?_summary=true`, { as: "nobody" });
          expect([path, status, json.resourceType]).toEqual([path, 200, plain.json.resourceType]);
          expect([json.fhirVersion, json.total]).toEqual([plain.json.fhirVersion, plain.json.total]);
          expect((await server.ask(`${path}?_summary=much`)).status).toBe(400);
        }
        for (const path of ["/metadata", read]) {
          expect((await server.ask(`${path}?_summary=count`)).status).toBe(400);
        }
        const { json } = await server.ask("/StructureDefinition?_summary=count");
        expect([json.total > 10, json.entry]).toEqual([true, undefined]);
      },
    ),
  ],
};
