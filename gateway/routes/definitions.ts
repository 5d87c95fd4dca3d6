import { MpiError } from "../../src/errors/index.ts";
import { searchset } from "../bundle/searchset.ts";
import { searchParametersByType } from "../capability/search-parameters.ts";
import type { Definition } from "../definitions/definition.ts";
import { type Answer, jsonAnswer } from "../exchange/answer.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import type { Interaction } from "./interaction.ts";
import { openToAll } from "./security-headers.ts";

/** Definitions of a type, such as StructureDefinition, for whoever wants to know before sending. */
export function definitionInteractions(
  resourceType: string,
  definitions: readonly Definition[],
): readonly Interaction[] {
  const byId = new Map(definitions.map((definition) => [definition.id, definition]));
  const parameters = (searchParametersByType[resourceType] ?? []).map(({ name }) => name);
  return [
    {
      code: "read",
      resourceType,
      open: true,
      method: "GET",
      path: `/${resourceType}/:id`,
      parameters: [],
      handle: (request) => readDefinition(request, resourceType, byId),
    },
    {
      code: "search-type",
      resourceType,
      open: true,
      method: "GET",
      path: `/${resourceType}`,
      parameters,
      handle: (request) => searchDefinitions(request, resourceType, definitions),
    },
  ];
}

function readDefinition(
  request: FhirRequest,
  resourceType: string,
  definitions: ReadonlyMap<string, Definition>,
): Answer {
  const { id = "" } = request.params;
  const definition = definitions.get(id);
  if (!definition) throw new MpiError("ROUTE_UNKNOWN", { path: `/${resourceType}/${id}` });
  return jsonAnswer(request, 200, definition.json, openToAll);
}

/** All of them on one page: there are few. */
function searchDefinitions(
  request: FhirRequest,
  resourceType: string,
  definitions: readonly Definition[],
): Answer {
  const { parameters } = request;
  const fits = ({ criteria }: Definition) =>
    parameters.every(({ name, value }) => criteria[name]?.includes(value) ?? true);
  const matches = definitions.filter(fits).map(({ json }) => json);
  const bundle = searchset({
    url: `${request.base}/${resourceType}`,
    parameters,
    total: matches.length,
    page: 1,
    pageSize: Math.max(1, matches.length),
    hasMore: false,
    matches,
    issues: [],
  });
  return jsonAnswer(request, 200, bundle, openToAll);
}
