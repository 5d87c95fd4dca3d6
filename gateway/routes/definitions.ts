import { MpiError } from "../../src/errors/index.ts";
import { searchset } from "../bundle/searchset.ts";
import { type StructureDefinition, structureDefinitions } from "../definitions/index.ts";
import { type Answer, jsonAnswer } from "../exchange/answer.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import type { FhirJson } from "../fhir/index.ts";
import type { Interaction } from "./interaction.ts";

const resourceType = "StructureDefinition";

/** Our own StructureDefinitions: what the profiles demand, for whoever validates before sending. */
export const definitionInteractions: readonly Interaction[] = [
  {
    code: "read",
    resourceType,
    method: "GET",
    path: "/StructureDefinition/:id",
    parameters: [],
    handle: readDefinition,
  },
  {
    code: "search-type",
    resourceType,
    method: "GET",
    path: "/StructureDefinition",
    parameters: ["_id", "url", "type"],
    handle: searchDefinitions,
  },
];

function readDefinition(request: FhirRequest): Answer {
  const { id = "" } = request.params;
  const definition = structureDefinitions.get(id);
  if (!definition) throw new MpiError("ROUTE_UNKNOWN", { path: `/StructureDefinition/${id}` });
  return jsonAnswer(request, 200, definition as unknown as FhirJson);
}

/** All of them on one page: there are few. */
function searchDefinitions(request: FhirRequest): Answer {
  const { parameters } = request;
  const wanted = (name: string) => parameters.find((parameter) => parameter.name === name)?.value;
  const fits = (definition: StructureDefinition) =>
    [
      [wanted("_id"), definition.id],
      [wanted("url"), definition.url],
      [wanted("type"), definition.type],
    ].every(([asked, has]) => asked === undefined || asked === has);
  const matches = [...structureDefinitions.values()].filter(fits) as unknown as FhirJson[];
  const bundle = searchset({
    url: `${request.base}/StructureDefinition`,
    parameters,
    total: matches.length,
    page: 1,
    pageSize: Math.max(1, matches.length),
    hasMore: false,
    matches,
    issues: [],
  });
  return jsonAnswer(request, 200, bundle);
}
