import { resultParametersOf, searchParametersByType } from "../capability/search-parameters.ts";
import { operationDetails } from "../definitions/operations.ts";
import type { Interaction, InteractionCode } from "../routes/interaction.ts";
import { type OpenApiParameter, ref } from "./types.ts";

/** What the result of a search is shaped by, and what every history takes, with what it means. */
const RESULT: Readonly<Record<string, string>> = {
  _sort: "Order, such as -_lastUpdated.",
  _count: "How many a page holds; 20 unless given, at most 100. 0 asks for the total alone.",
  _page: "Which page: a number of a search, a token of a history or of the audit trail.",
  _since: "Only what came at or after this time.",
  _elements: "The elements to show, separated by commas, such as name.family.",
  _summary: "How much to show: true, text, data, count or false.",
  _total: "none, estimate or accurate: the total is always told, exactly.",
  mode: "What is meant; see the definition of the operation.",
  profile: "The profile to hold the resource to.",
};

/** The headers of requests, by name. */
export const headerParameters: Readonly<Record<string, OpenApiParameter>> = Object.fromEntries(
  Object.entries({
    "x-road-id": "Unique id of the request.",
    "x-road-userid": "The user: EE and the personal code.",
    "x-author-id": "Personal code of the author, when it is another one.",
    "x-road-client": "The calling organisation: instance/class/member-code/subsystem.",
    "x-road-issue": "Why, in words; the patient may read it.",
    "accept-language": "Language of texts: et or en.",
    prefer: "return=minimal, representation or OperationOutcome; handling=strict or lenient.",
    "if-match": "Only if this is the current version.",
    "if-none-match": "Only if the version is none of these (304; 412 of a write).",
    "if-modified-since": "Only if it was changed since (304).",
    "if-unmodified-since": "Only if it was not changed since.",
    "if-none-exist": "Only if nothing fits these search parameters.",
  }).map(([name, description]) => [name, { name, in: "header", description, schema: { type: "string" } }]),
);

const OF_CALLERS = ["x-road-id", "x-road-userid", "x-author-id", "x-road-client", "x-road-issue"];

const OF_WRITES = ["if-match", "if-none-match", "if-unmodified-since"];

const conditions: Readonly<Partial<Record<InteractionCode, readonly string[]>>> = {
  read: ["if-none-match", "if-modified-since"],
  vread: ["if-none-match", "if-modified-since"],
  create: ["prefer", "if-none-exist"],
  update: ["prefer", ...OF_WRITES],
  patch: ["prefer", ...OF_WRITES],
  delete: OF_WRITES,
  "search-type": ["prefer"],
};

/** Everything that a request of an interaction may say beside its body. */
export function parametersOf(interaction: Interaction): OpenApiParameter[] {
  const inPath = [...interaction.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => pathParameter(name));
  const headers = ["accept-language", ...(conditions[interaction.code] ?? [])];
  const all = interaction.open ? headers : [...OF_CALLERS, ...headers];
  return [...inPath, ...queryOf(interaction), ...all.map((name) => ref("parameters", name))];
}

function pathParameter(name: string): OpenApiParameter {
  const description = name === "id" ? "Id of the resource." : "Version of the resource.";
  return { name, in: "path", required: true, description, schema: { type: "string" } };
}

function queryOf(interaction: Interaction): OpenApiParameter[] {
  const { parameters, operation, resourceType = "", body } = interaction;
  // A form says in its body what a query would, and Parameters what an operation takes.
  if (body === "form" || (operation !== undefined && body === "resource")) return [];
  const asked = (searchParametersByType[resourceType] ?? []).map(({ name, documentation }) =>
    queryParameter(name, documentation),
  );
  if (parameters === "core" && operation === undefined) {
    return interaction.code === "search-type"
      ? [...asked, ...resultParametersOf(resourceType).map(resultParameter)]
      : asked;
  }
  if (parameters === "core") return operationParameters(operation ?? "");
  return parameters.map((name) => {
    const known = searchParametersByType[resourceType]?.find((entry) => entry.name === name);
    return known ? queryParameter(name, known.documentation) : resultParameter(name);
  });
}

function operationParameters(operation: string): OpenApiParameter[] {
  const given = operationDetails[operation]?.parameters.filter(({ use }) => use === "in") ?? [];
  return given.map(({ name, documentation }) => queryParameter(name, documentation));
}

function resultParameter(name: string): OpenApiParameter {
  return queryParameter(name, RESULT[name] ?? "");
}

function queryParameter(name: string, description: string): OpenApiParameter {
  return { name, in: "query", description, schema: { type: "string" } };
}
