import { DEFINITION_VERSION } from "../definitions/definition.ts";
import { contracts } from "../exchange/contracts.ts";
import type { Interaction } from "../exchange/interaction.ts";
import { openApiOperation } from "./operation.ts";
import { sharedParameters } from "./parameters.ts";
import { type OpenApiOperation, type OpenApiPaths, ref } from "./types.ts";

/** An OpenAPI 3.1 description of the FHIR interface, as far as it is read here. */
export interface OpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: OpenApiPaths;
  readonly components: object;
}

/** The description of what a table of interactions offers, and of health at its paths. */
export function openApiDocument(
  interactions: readonly Interaction[],
  healthPaths: readonly string[],
): OpenApiDocument {
  const types = [...new Set(interactions.flatMap(({ resourceType }) => resourceType ?? []))];
  return {
    openapi: "3.1.1",
    info: {
      title: "Master patient index",
      version: DEFINITION_VERSION,
      description:
        "FHIR R5. The resources are those of R5, held to the profiles under /StructureDefinition; what each search parameter and operation means stands under /SearchParameter and /OperationDefinition.",
    },
    servers: contracts.map(({ basePath, version }) => ({
      url: basePath,
      description: `Contract version ${version}`,
    })),
    tags: ["Interface", ...types, "Health"].map((name) => ({ name })),
    paths: { ...fhirPaths(interactions), ...healthOperations(healthPaths) },
    components: { parameters: sharedParameters, schemas: schemasOf(types), securitySchemes },
  };
}

const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
};

/** Requests of one path and method stand there once, whichever of several interactions they then are. */
function fhirPaths(interactions: readonly Interaction[]): OpenApiPaths {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const interaction of interactions) {
    const path = interaction.path === "" ? "/" : interaction.path.replace(/:(\w+)/g, "{$1}");
    const operations = paths[path] ?? {};
    operations[interaction.method.toLowerCase()] = openApiOperation(interaction);
    paths[path] = operations;
  }
  return paths;
}

function healthOperations(paths: readonly string[]): OpenApiPaths {
  return Object.fromEntries(
    paths.map((path) => [
      path,
      {
        get: {
          operationId: `health${path.replace(/.*\//, "").replace(/^./, (first) => first.toUpperCase())}`,
          tags: ["Health"],
          summary: path.endsWith("live")
            ? "Whether the process answers"
            : "Whether the core and its database do",
          servers: [{ url: "/" }],
          security: [],
          responses: {
            "200": { description: "It does.", content: { "application/json": { schema: healthSchema } } },
            default: {
              description: "It does not.",
              content: { "application/fhir+json": { schema: ref("schemas", "OperationOutcome") } },
            },
          },
        },
      },
    ]),
  );
}

const healthSchema = {
  type: "object",
  title: "Health",
  required: ["status"],
  properties: { status: { type: "string", const: "up" } },
};

function schemasOf(types: readonly string[]): object {
  const all = [...types, "Bundle", "CapabilityStatement", "OperationOutcome", "Parameters", "Resource"];
  return Object.fromEntries(all.map((type) => [type, schemaOf(type)]));
}

/** Code that is generated keeps the elements of R5 beside these because they are allowed in so many words. */
function schemaOf(type: string): object {
  const resourceType = { type: "string", ...(type !== "Resource" && { const: type }) };
  return {
    type: "object",
    title: type,
    externalDocs: { url: `https://hl7.org/fhir/R5/${type.toLowerCase()}.html` },
    required: ["resourceType"],
    properties: { resourceType, id: { type: "string" } },
    additionalProperties: true,
  };
}
