import { withRelativeReferences } from "../../src/references/index.ts";
import { parametersByName } from "../definitions/operations.ts";
import type { Answer } from "../exchange/answer.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import type { Interaction } from "../exchange/interaction.ts";
import { plainParameters } from "../exchange/parameters/plain-parameters.ts";
import type { Parameter } from "../exchange/query.ts";
import { namedAnew } from "../outcome/named-anew.ts";

type Handle = (request: FhirRequest, parameters: readonly Parameter[]) => Promise<Answer>;

/** An operation on Patient that is offered by GET, with its parameters in the query, and by POST as Parameters. */
export function queriedOperation(name: string, handle: Handle): Interaction[] {
  const known = parametersByName(name);
  const answer = async (request: FhirRequest, method: "GET" | "POST"): Promise<Answer> => {
    const { parameters, whereItStands } = plainParameters(request, method, known);
    try {
      const understood = withoutIgnored(request, parameters, known);
      return await handle(request, withRelativeReferences(understood, request));
    } catch (error) {
      throw namedAnew(error, whereItStands);
    }
  };
  const offered = {
    code: "operation",
    operation: name,
    resourceType: "Patient",
    path: `/Patient/$${name}`,
  } as const;
  return [
    {
      ...offered,
      method: "GET",
      parameters: "core",
      handle: (request) => answer(request, "GET"),
    },
    {
      ...offered,
      method: "POST",
      body: "resource",
      parameters: "core",
      handle: (request) => answer(request, "POST"),
    },
  ];
}

/** A caller who is lenient has unknown parameters passed over; else the core refuses them. */
function withoutIgnored(
  { preferences }: FhirRequest,
  parameters: readonly Parameter[],
  known: ReadonlyMap<string, unknown>,
): readonly Parameter[] {
  return preferences.handling === "strict" ? parameters : parameters.filter(({ name }) => known.has(name));
}
