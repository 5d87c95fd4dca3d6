import { type Answer, present, type StoredResource, storedAnswer } from "../../exchange/answer.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import { elementsOf } from "./elements.ts";
import type { StoredType } from "./stored-type.ts";

/** The current version. */
export async function read<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
): Promise<Answer> {
  const { id = "" } = request.params;
  const elements = elementsOf(request.parameters, type);
  const found = present(await type.calls.read(request.gateway.core, { id, elements }, request.call));
  return storedAnswer(request, found, type.encode);
}

/** One version as it was. */
export async function readVersion<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
): Promise<Answer> {
  const { id = "", version: versionId = "" } = request.params;
  const { core } = request.gateway;
  const elements = elementsOf(request.parameters, type);
  const found = present(await type.calls.readVersion(core, { id, versionId, elements }, request.call));
  return storedAnswer(request, found, type.encode);
}
