import { rightsInWords } from "../capability/rights.ts";
import { nameOf } from "../definitions/definition.ts";
import { operationDetails } from "../definitions/operations.ts";
import type { Interaction, InteractionCode } from "../exchange/interaction.ts";
import { allResourceMediaTypes } from "../exchange/media-types.ts";
import { contentOf } from "./content.ts";
import { parametersOf } from "./parameters.ts";
import { requestBodyOf } from "./request-body.ts";
import { type OpenApiOperation, type OpenApiResponse, ref } from "./types.ts";

const summaries: Readonly<Record<InteractionCode, string>> = {
  capabilities: "What the interface offers",
  batch: "Several requests in one",
  transaction: "Several requests as one whole",
  read: "Read",
  vread: "Read a version",
  update: "Replace",
  patch: "Change",
  delete: "Delete",
  create: "Create",
  "history-instance": "Versions of one",
  "history-type": "Changes of all",
  "search-type": "Search",
  operation: "Operation",
};

const CONDITIONAL = "by search parameters";

/** An interaction as OpenAPI describes it. */
export function openApiOperation(interaction: Interaction): OpenApiOperation {
  const { code, otherCodes = [], resourceType, operation, body } = interaction;
  const rights = interaction.open ? undefined : rightsInWords(interaction);
  const details = operation === undefined ? undefined : operationDetails[operation];
  const description = [details?.description, rights].filter((part) => part !== undefined).join(" ");
  const summary = details?.title ?? [code, ...otherCodes].map((one) => summaries[one]).join("; ");
  const isByQuery = interaction.conditional === true && code !== "create";
  return {
    operationId: operationIdOf(interaction),
    tags: [resourceType ?? "Interface"],
    summary: isByQuery ? `${summary} ${CONDITIONAL}` : summary,
    ...(description !== "" && { description }),
    parameters: parametersOf(interaction),
    ...(body !== undefined && { requestBody: requestBodyOf(interaction, body) }),
    responses: responsesOf(interaction),
    security: interaction.open ? [] : [{ bearer: [] }],
  };
}

/** Unique: the method and the path tell interactions apart. */
function operationIdOf({ code, operation, method, path, resourceType = "" }: Interaction): string {
  const ofInstance = path.includes("/:id") && operation !== undefined ? "Of" : "";
  const words = [
    method.toLowerCase(),
    operation ?? code,
    resourceType,
    ofInstance,
    path.endsWith("_search") ? "Form" : "",
  ];
  const isByQuery = (code === "update" || code === "delete") && !path.includes("/:id");
  const id = nameOf([...words, isByQuery ? "Conditional" : ""].filter((word) => word !== "").join("-"));
  return id.charAt(0).toLowerCase() + id.slice(1);
}

function responsesOf(interaction: Interaction): Record<string, OpenApiResponse> {
  return {
    ...successes(interaction),
    default: answer("What went wrong, and where.", "OperationOutcome"),
  };
}

function successes({ code, operation, conditional, open, resourceType = "" }: Interaction) {
  switch (code) {
    case "create":
      return {
        "201": written("The stored resource", resourceType),
        ...(conditional && { "200": written("The resource that fits already", resourceType) }),
      };
    case "update":
      return {
        "200": written("The stored resource", resourceType),
        ...(conditional && { "201": written("The new resource, when none fitted", resourceType) }),
      };
    case "delete":
      return { "204": { description: "It is not there any more." } };
    case "read":
    case "vread":
      return {
        "200": answer("The resource.", resourceType),
        ...(!open && { "304": { description: "The client has it already." } }),
      };
    case "patch":
      return { "200": written("The stored resource", resourceType) };
    case "capabilities":
      return { "200": answer("What is offered.", "CapabilityStatement") };
    case "operation":
      return { "200": operationAnswer(operation ?? "") };
    default:
      return { "200": answer("What was found or done.", "Bundle") };
  }
}

/** One parameter that is a resource comes as that; anything else as Parameters. */
function operationAnswer(operation: string): OpenApiResponse {
  const out = operationDetails[operation]?.parameters.filter(({ use }) => use === "out") ?? [];
  const [only, another] = out;
  const isResource = only !== undefined && another === undefined && RESOURCES.has(only.type);
  return answer(only?.documentation ?? "The answer.", isResource ? only.type : "Parameters");
}

const RESOURCES: ReadonlySet<string> = new Set(["Bundle", "OperationOutcome", "Patient"]);

function answer(description: string, type: string): OpenApiResponse {
  return { description, content: contentOf(allResourceMediaTypes, ref("schemas", type)) };
}

/** What a write is answered with depends on Prefer. */
function written(what: string, type: string): OpenApiResponse {
  const description = `${what}; by Prefer an OperationOutcome, or nothing.`;
  const schema = {
    title: `${type}OrOutcome`,
    anyOf: [ref("schemas", type), ref("schemas", "OperationOutcome")],
  };
  return { description, content: contentOf(allResourceMediaTypes, schema) };
}
