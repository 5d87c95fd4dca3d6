import { type Fault, MpiError, renderIssues } from "../../src/errors/index.ts";
import { searchset } from "../bundle/searchset.ts";
import type { Definition } from "../definitions/definition.ts";
import { resultParametersOf, searchParametersByType } from "../definitions/search-parameters.ts";
import { type Answer, jsonAnswer } from "../exchange/answer.ts";
import { parseCount } from "../exchange/count.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import type { Interaction } from "../exchange/interaction.ts";
import { givenValue, ownParameters, type Parameter, unsuitableParameter } from "../exchange/query.ts";
import { faultsOfRead, faultsOfSummary } from "./resource/elements.ts";
import { openToAll } from "./security-headers.ts";

/** More than there are of any type: all are on one page unless fewer are asked for. */
const MOST_ON_PAGE = 100;

/** Definitions of a type, such as StructureDefinition, for whoever wants to know before sending. */
export function definitionInteractions(
  resourceType: string,
  definitions: readonly Definition[],
): readonly Interaction[] {
  const byId = new Map(definitions.map((definition) => [definition.id, definition]));
  return [
    {
      code: "read",
      resourceType,
      open: true,
      method: "GET",
      path: `/${resourceType}/:id`,
      parameters: ["_summary"],
      faultsIn: faultsOfRead,
      handle: (request) => readDefinition(request, resourceType, byId),
    },
    {
      code: "search-type",
      resourceType,
      open: true,
      method: "GET",
      path: `/${resourceType}`,
      parameters: parameterNamesOf(resourceType),
      faultsIn: (parameters) => [
        ...faultsOfCriteria(parameters, resourceType),
        ...faultsOfPage(parameters),
        ...faultsOfSummary(parameters),
      ],
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

function searchDefinitions(
  request: FhirRequest,
  resourceType: string,
  definitions: readonly Definition[],
): Answer {
  const known = parameterNamesOf(resourceType);
  const given = ownParameters(request);
  const used = given.filter(({ name }) => known.includes(name));
  const ignored = given.filter(({ name }) => !known.includes(name));
  const matches = definitions.filter(({ criteria }) => used.every((one) => fits(criteria, one)));
  const isCount = givenValue(used, "_summary") === "count";
  const asked = isCount ? 0 : countOf(used);
  const pageSize = Math.min(asked ?? MOST_ON_PAGE, MOST_ON_PAGE);
  const page = Number(givenValue(used, "_page") ?? 1);
  const end = page * pageSize;
  const bundle = searchset({
    url: `${request.base}/${resourceType}`,
    parameters: used,
    total: matches.length,
    page,
    pageSize,
    hasMore: pageSize > 0 && matches.length > end,
    matches: matches.slice(end - pageSize, end).map(({ json }) => json),
    issues: renderIssues(ignored.map(ignoredNote), request.presentation),
  });
  return jsonAnswer(request, 200, bundle, openToAll);
}

/** Several values are alternatives; what shapes the result fits everything. */
function fits(criteria: Definition["criteria"], { name, value }: Parameter): boolean {
  const own = criteria[name];
  return own === undefined || value.split(",").some((one) => own.includes(one));
}

/** As in any search, an empty value asks for nothing. */
function faultsOfCriteria(parameters: readonly Parameter[], resourceType: string): readonly Fault[] {
  const names = criteriaOf(resourceType);
  return parameters
    .filter(({ name, value }) => names.includes(name) && value.split(",").some((one) => one.trim() === ""))
    .map(({ name }) => unsuitableParameter(name));
}

function faultsOfPage(parameters: readonly Parameter[]): readonly Fault[] {
  return [
    ...(countOf(parameters) === undefined ? [unsuitableParameter("_count")] : []),
    ...(isPageNumber(givenValue(parameters, "_page")) ? [] : [unsuitableParameter("_page")]),
  ];
}

function countOf(parameters: readonly Parameter[]): number | undefined {
  const given = givenValue(parameters, "_count");
  return given === undefined ? MOST_ON_PAGE : parseCount(given);
}

function isPageNumber(value = "1"): boolean {
  return /^\d{1,9}$/.test(value) && Number(value) >= 1;
}

function ignoredNote({ name }: Parameter): Fault {
  return { ...unsuitableParameter(name), severity: "warning" };
}

function parameterNamesOf(resourceType: string): readonly string[] {
  return [...criteriaOf(resourceType), ...resultParametersOf(resourceType)];
}

function criteriaOf(resourceType: string): readonly string[] {
  return (searchParametersByType[resourceType] ?? []).map(({ name }) => name);
}
