import { someone } from "../people.ts";
import type { Exchange, Json, Scenario } from "../scenario.ts";

/** Changes by JSON Patch, which only the FHIR interface has. */
export const patchScenarios: readonly Scenario[] = [
  {
    meaning: "PATCH_MALFORMED",
    only: "http",
    code: "MPI-096",
    issueType: "structure",
    expression: "http.body[0]",
    prepare: async (index) => patches(await someone(index), { op: "merge", path: "/gender" }),
  },
  {
    meaning: "PATCH_NOT_APPLICABLE",
    only: "http",
    code: "MPI-096",
    issueType: "conflict",
    expression: "http.body[0]",
    prepare: async (index) => patches(await someone(index), { op: "remove", path: "/photo/0" }),
  },
];

function patches(reference: string, operation: Json): Exchange {
  const headers = { "content-type": "application/json-patch+json" };
  return {
    http: { method: "PATCH", path: `/${reference}`, headers, body: JSON.stringify([operation]) },
  };
}
