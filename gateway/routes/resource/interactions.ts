import type { Answer, StoredResource } from "../../exchange/answer.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import type { Interaction } from "../../exchange/interaction.ts";
import { creatingTogether } from "./creating-together.ts";
import { elementParameterNames, faultsOfRead } from "./elements.ts";
import { changes, history } from "./histories.ts";
import { faultsOfHistory, historyParameterNames } from "./history-parameters.ts";
import { read, readVersion } from "./reading.ts";
import { search } from "./searching.ts";
import type { StoredType } from "./stored-type.ts";
import { validateParameterNames } from "./validate-parameters.ts";
import { validate } from "./validating.ts";
import { create, patch, remove, removeByQuery, update, updateByQuery } from "./writing.ts";

/** What is offered of a type of resource that the core stores. */
export function resourceInteractions<Resource extends StoredResource>(
  type: StoredType<Resource>,
): Interaction[] {
  const of =
    (handler: (type: StoredType<Resource>, request: FhirRequest) => Promise<Answer>) =>
    (request: FhirRequest) =>
      handler(type, request);
  const together = creatingTogether(type);
  const path = `/${type.name}`;
  const onePath = `${path}/:id`;
  const interactions: Omit<Interaction, "resourceType">[] = [
    {
      code: "read",
      method: "GET",
      path: onePath,
      parameters: elementParameterNames,
      faultsIn: faultsOfRead,
      handle: of(read),
    },
    {
      code: "vread",
      method: "GET",
      path: `${onePath}/_history/:version`,
      parameters: elementParameterNames,
      faultsIn: faultsOfRead,
      handle: of(readVersion),
    },
    { code: "update", method: "PUT", path: onePath, body: "resource", parameters: [], handle: of(update) },
    {
      code: "update",
      conditional: true,
      method: "PUT",
      path,
      body: "resource",
      parameters: "core",
      handle: of(updateByQuery),
    },
    { code: "patch", method: "PATCH", path: onePath, body: "patch", parameters: [], handle: of(patch) },
    ...(type.calls.remove
      ? [
          { code: "delete", method: "DELETE", path: onePath, parameters: [], handle: of(remove) } as const,
          {
            code: "delete",
            conditional: true,
            method: "DELETE",
            path,
            parameters: "core",
            handle: of(removeByQuery),
          } as const,
        ]
      : []),
    {
      code: "create",
      conditional: true,
      method: "POST",
      path,
      body: "resource",
      parameters: [],
      handle: of(create),
      ...(together && { together }),
    },
    {
      code: "history-instance",
      method: "GET",
      path: `${onePath}/_history`,
      parameters: historyParameterNames,
      faultsIn: faultsOfHistory,
      handle: of(history),
    },
    ...(type.calls.changes
      ? [
          {
            code: "history-type",
            method: "GET",
            path: `${path}/_history`,
            parameters: historyParameterNames,
            faultsIn: faultsOfHistory,
            handle: of(changes),
          } as const,
        ]
      : []),
    { code: "search-type", method: "GET", path, parameters: "core", handle: of(search) },
    {
      code: "search-type",
      method: "POST",
      path: `${path}/_search`,
      body: "form",
      parameters: "core",
      handle: of(search),
    },
  ];
  interactions.push(
    ...validations([
      { method: "POST", path: `${path}/$validate`, body: "resource" },
      { method: "POST", path: `${onePath}/$validate`, body: "resource" },
      { method: "GET", path: `${onePath}/$validate` },
    ]).map((one) => ({ ...one, handle: of(validate) })),
  );
  return interactions.map((interaction) => ({ ...interaction, resourceType: type.name }));
}

/** The ways in which `$validate` is asked for. */
function validations(
  ways: readonly Pick<Interaction, "method" | "path" | "body">[],
): Omit<Interaction, "resourceType" | "handle">[] {
  return ways.map((way) => ({
    ...way,
    code: "operation",
    operation: "validate",
    parameters: validateParameterNames,
  }));
}
