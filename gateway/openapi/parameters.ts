import { languages } from "../../src/errors/index.ts";
import { type OperationParameter, parametersByName } from "../definitions/operations.ts";
import {
  resultParametersOf,
  type SearchParameterEntry,
  searchParametersByType,
} from "../definitions/search-parameters.ts";
import type { Interaction, InteractionCode } from "../exchange/interaction.ts";
import { type OpenApiParameter, ref } from "./types.ts";

/** What shapes the result of a search or a read, and what histories and the CapabilityStatement take. */
const RESULT: Readonly<Record<string, string>> = {
  _sort: "Order, such as -_lastUpdated.",
  _count: "How many a page holds; 20 unless given, at most 100. 0 asks for the total alone.",
  _page: "Which page: a number of a search, a token of a history or of the audit trail.",
  _since: "Only what came at or after this time.",
  _elements: "The elements to show, separated by commas, such as name.family.",
  _summary: "How much to show: true, text, data, count or false.",
  _total: "none, estimate or accurate: the total is always told, exactly.",
  mode: "full, normative or terminology: the statement is the full one each time.",
};

/** Without them no call gets anywhere, however callers are known. */
const REQUIRED: ReadonlySet<string> = new Set(["x-road-id", "x-road-userid"]);

const HEADERS: Readonly<Record<string, string>> = {
  "x-road-id": "Unique id of the request.",
  "x-road-userid": "The user: EE and the personal code.",
  "x-author-id": "Personal code of the author: that of the user, where it is given.",
  "x-road-client": "The calling organisation: instance/class/member-code/subsystem.",
  "x-road-issue": "Why, in words; the patient may read it.",
  "accept-language": `Language of texts: ${languages.join(" or ")}.`,
  prefer: "return=minimal, representation or OperationOutcome; handling=strict or lenient.",
  "if-match": "Only if this is the current version.",
  "if-none-match": "Only if the version is none of these (304; 412 of a write).",
  "if-modified-since": "Only if it was changed since (304).",
  "if-unmodified-since": "Only if it was not changed since.",
  "if-none-exist": "Only if nothing fits these search parameters.",
};

/** What is said is not empty: a parameter or header that is there and says nothing is refused. */
const TEXT = { type: "string", minLength: 1 };

/** Types of FHIR that OpenAPI knows; the others are texts. */
const SCHEMAS: Readonly<Record<string, object>> = {
  boolean: { type: "boolean" },
  integer: { type: "integer", format: "int32" },
};

/** What may be given several times. */
const severalOf = (items: object) => ({ type: "array", items });

const SEVERAL_TEXTS = severalOf(TEXT);

const FORM = {
  _format: queryParameter("_format", "Form of the answer: json, xml or a media type; goes before Accept."),
  _pretty: queryParameter("_pretty", "Whether the answer is indented, for people.", SCHEMAS["boolean"]),
};

/** The headers of requests and what every one may say in its query, by name. */
export const sharedParameters: Readonly<Record<string, OpenApiParameter>> = {
  ...Object.fromEntries(Object.entries(HEADERS).map(([name, said]) => [name, headerParameter(name, said)])),
  ...FORM,
};

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

/** What is open to everybody, such as definitions, has no versions to tell apart. */
function conditionsOf({ code, open }: Interaction): readonly string[] {
  const headers = conditions[code] ?? [];
  return open ? headers.filter((name) => name === "prefer") : headers;
}

/** Everything that a request of an interaction may say beside its body. */
export function parametersOf(interaction: Interaction): OpenApiParameter[] {
  const inPath = [...interaction.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => pathParameter(name));
  const shared = [
    ...Object.keys(FORM),
    ...(interaction.open ? [] : OF_CALLERS),
    "accept-language",
    ...conditionsOf(interaction),
  ];
  return [...inPath, ...queryOf(interaction), ...shared.map((name) => ref("parameters", name))];
}

function pathParameter(name: string): OpenApiParameter {
  const description = name === "id" ? "Id of the resource." : "Version of the resource.";
  return { name, in: "path", required: true, description, schema: TEXT };
}

function queryOf(interaction: Interaction): readonly QueryParameter[] {
  const { parameters, operation, resourceType = "", body } = interaction;
  // A form says in its body what a query would.
  if (body === "form") return [];
  if (operation !== undefined) return operationParameters(operation, parameters);
  if (parameters === "core") return searchParameters(interaction);
  return parameters.map((name) => {
    const known = searchParametersByType[resourceType]?.find((entry) => entry.name === name);
    return known ? searchParameter(known) : resultParameter(name);
  });
}

function searchParameters({ code, resourceType = "" }: Interaction): readonly QueryParameter[] {
  const asked = (searchParametersByType[resourceType] ?? []).map(searchParameter);
  if (code !== "search-type") return asked;
  return [...asked, ...resultParametersOf(resourceType).map(resultParameter)];
}

/** The parameters of a search in the body of a request; the form of the answer is said in the query. */
export function searchForm(interaction: Interaction): { readonly schema: object; readonly encoding: object } {
  const fields = searchParameters(interaction);
  const properties = fields.map(({ name, description, schema }) => [name, { ...schema, description }]);
  // What holds by default in OpenAPI 3.1, but generators join the values by commas unless it is said.
  const several = fields.filter(({ schema }) => schema === SEVERAL_TEXTS);
  const encoding = several.map(({ name }) => [name, { style: "form", explode: true }]);
  return {
    schema: { type: "object", properties: Object.fromEntries(properties) },
    encoding: Object.fromEntries(encoding),
  };
}

/** By every name that a query may use, beside Parameters in the body too. */
function operationParameters(operation: string, taken: Interaction["parameters"]): readonly QueryParameter[] {
  return [...parametersByName(operation)]
    .filter(([name]) => taken === "core" || taken.includes(name))
    .map(([name, { documentation, ...parameter }]) =>
      queryParameter(name, documentation, schemaOfParameter(parameter)),
    );
}

function schemaOfParameter({ type, max }: Pick<OperationParameter, "type" | "max">): object {
  const schema = SCHEMAS[type] ?? TEXT;
  return max === "*" ? severalOf(schema) : schema;
}

function searchParameter({ name, documentation, repeatable }: SearchParameterEntry): QueryParameter {
  return queryParameter(name, documentation, repeatable ? SEVERAL_TEXTS : TEXT);
}

function resultParameter(name: string): QueryParameter {
  const schema = name === "_count" ? { ...SCHEMAS["integer"], minimum: 0 } : TEXT;
  return queryParameter(name, RESULT[name] ?? "", schema);
}

type QueryParameter = Exclude<OpenApiParameter, { readonly $ref: string }>;

function queryParameter(name: string, description: string, schema: object = TEXT): QueryParameter {
  return { name, in: "query", description, schema };
}

function headerParameter(name: string, description: string): OpenApiParameter {
  const required = REQUIRED.has(name) && { required: true as const };
  return { name, in: "header", ...required, description, schema: TEXT };
}
