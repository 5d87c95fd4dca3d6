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
  ],
};
