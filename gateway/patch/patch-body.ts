import type { FhirRequest } from "../exchange/fhir-request.ts";
import { isResourceType } from "../exchange/media-types.ts";
import { jsonBody } from "../exchange/resource-body.ts";
import type { FhirJson, JsonValue } from "../fhir/index.ts";
import { applyOperations } from "./fhirpath/apply.ts";
import { readOperations } from "./fhirpath/operations.ts";
import { applyJsonPatch, readJsonPatch } from "./json-patch.ts";

/** Makes of a resource, given as FHIR JSON, what a patch wants it to be. */
export type ApplyPatch = (resource: FhirJson) => JsonValue;

/** The patch in a body: a resource of FHIR holds a FHIRPath Patch, anything else is a JSON Patch. */
export function patchBody(request: FhirRequest): ApplyPatch {
  const json = jsonBody(request);
  if (isResourceType(request.headers["content-type"])) {
    const operations = readOperations(json);
    return (resource) => applyOperations(resource, operations);
  }
  const operations = readJsonPatch(json);
  return (resource) => applyJsonPatch(resource, operations);
}
