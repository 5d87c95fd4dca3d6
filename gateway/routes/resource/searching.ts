import type { Issue } from "#proto/patientindex/v1/error_details_pb.ts";
import { atParameter, type Fault, fault, parameterExpression, refuseFor } from "../../../src/errors/index.ts";
import { withRelativeReferences } from "../../../src/references/index.ts";
import { searchset } from "../../bundle/searchset.ts";
import { type Answer, jsonAnswer, type StoredResource } from "../../exchange/answer.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import { ownParameters, type Parameter, unfitParameter } from "../../exchange/query.ts";
import { faultsOfSummary, summaryOf } from "./elements.ts";
import type { StoredType, WhatToShow } from "./stored-type.ts";

const TOTALS: readonly string[] = ["none", "estimate", "accurate"];

/** Search by GET, and by POST to _search; the core knows the parameters and their rules. */
export async function search<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
): Promise<Answer> {
  const given = ownParameters(request);
  const lenient = request.preferences.handling === "lenient";
  const parameters = withRelativeReferences(forCore(given, type), request);
  const found = await type.calls.search(request.gateway.core, { parameters, lenient }, request.call);
  const bundle = searchset({
    url: `${request.base}/${type.name}`,
    parameters: usedParameters(given, found.issues),
    total: Number(found.totalSize),
    page: found.page,
    pageSize: found.pageSize,
    hasMore: found.nextPageToken !== "",
    matches: found.resources.map(type.encode),
    issues: found.issues,
  });
  return jsonAnswer(request, 200, bundle);
}

/** The parameters in the core's own: a summary is a choice of elements, and the total is always told, exactly. */
function forCore(parameters: readonly Parameter[], type: WhatToShow): Parameter[] {
  refuseFor([
    ...["_summary", "_total"].flatMap((param) => repeated(parameters, param)),
    ...faultsOfSummary(parameters),
    ...faultsOfTotal(parameters),
  ]);
  const summary = summaryOf(parameters, type);
  const others = parameters.filter(({ name }) => name !== "_summary" && name !== "_total");
  if (summary === undefined) return others;
  if (summary !== "count") return [...others, { name: "_elements", value: summary.elements.join(",") }];
  return [...others.filter(({ name }) => name !== "_count"), { name: "_count", value: "0" }];
}

function faultsOfTotal(parameters: readonly Parameter[]): Fault[] {
  const total = parameters.find(({ name }) => name === "_total");
  return total === undefined || TOTALS.includes(total.value) ? [] : [unfitParameter(total)];
}

function repeated(parameters: readonly Parameter[], param: string): Fault[] {
  if (parameters.filter(({ name }) => name === param).length < 2) return [];
  return [fault("PARAMETER_REPEATED", { param }, atParameter(param))];
}

/** A self link tells what was understood: parameters that were ignored are not in it (FHIR search, 3.2.1.3.2). */
export function usedParameters(parameters: readonly Parameter[], issues: readonly Issue[]): Parameter[] {
  const ignored = new Set(issues.flatMap(({ expressions }) => expressions));
  return parameters.filter(({ name }) => !ignored.has(parameterExpression(name)));
}
