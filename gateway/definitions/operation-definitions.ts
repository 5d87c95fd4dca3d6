import type { Interaction } from "../exchange/interaction.ts";
import type { FhirJson } from "../fhir/index.ts";
import { canonical, DEFINITION_VERSION, type Definition, nameOf } from "./definition.ts";
import { operationDetails } from "./operations.ts";

/** The OperationDefinitions of the operations in a table of interactions. */
export function operationDefinitions(interactions: readonly Interaction[]): Definition[] {
  const operations = interactions.filter(({ operation }) => operation !== undefined);
  const byId = Map.groupBy(operations, ({ resourceType, operation }) => `${resourceType}-${operation}`);
  return [...byId].map(([id, [first, ...others]]) =>
    operationDefinition(id, first ? [first, ...others] : []),
  );
}

function operationDefinition(id: string, ways: readonly Interaction[]): Definition {
  const { operation = "", resourceType = "" } = ways[0] ?? {};
  const details = operationDetails[operation];
  if (!details) throw new Error(`Nothing is known of the operation ${operation} (gateway/definitions).`);
  const isOfInstance = ({ path }: Interaction) => path.includes("/:id/");
  const json: FhirJson = {
    resourceType: "OperationDefinition",
    id,
    url: canonical("OperationDefinition", id),
    version: DEFINITION_VERSION,
    name: nameOf(id),
    title: details.title,
    status: "active",
    kind: "operation",
    description: details.description,
    affectsState: details.affectsState,
    code: operation,
    ...(details.base !== undefined && { base: details.base }),
    resource: [resourceType],
    system: false,
    type: ways.some((way) => !isOfInstance(way)),
    instance: ways.some(isOfInstance),
    parameter: details.parameters.map((parameter) => ({ ...parameter })),
  };
  return {
    id,
    json,
    criteria: { _id: [id], url: [canonical("OperationDefinition", id)], code: [operation] },
  };
}
