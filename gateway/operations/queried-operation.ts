import type { Answer } from "../exchange/answer.ts";
import type { FhirRequest } from "../exchange/fhir-request.ts";
import type { Parameter } from "../exchange/query.ts";
import type { Interaction } from "../routes/interaction.ts";
import { operationParameters } from "./plain-parameters.ts";

type Handle = (request: FhirRequest, parameters: readonly Parameter[]) => Promise<Answer>;

/** An operation on Patient that is offered by GET, with its parameters in the query, and by POST as Parameters. */
export function queriedOperation(name: string, handle: Handle): Interaction[] {
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
      handle: (request) => handle(request, operationParameters(request, "GET")),
    },
    {
      ...offered,
      method: "POST",
      body: "resource",
      parameters: "core",
      handle: (request) => handle(request, operationParameters(request, "POST")),
    },
  ];
}
