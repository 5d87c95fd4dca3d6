import { randomUUID } from "node:crypto";
import type { Issue } from "#proto/patientindex/v1/error_details_pb.ts";
import type { FhirJson } from "../fhir/index.ts";
import { operationOutcome } from "../outcome/operation-outcome.ts";

/** Bundle of type collection: what an operation found, then what the asker should know as an OperationOutcome. */
export function collection(base: string, resources: readonly FhirJson[], issues: readonly Issue[]): FhirJson {
  const entries = [
    ...resources.map((resource) => ({ fullUrl: fullUrl(base, resource), resource })),
    ...(issues.length > 0 ? [{ fullUrl: newUrn(), resource: operationOutcome(issues) }] : []),
  ];
  return { resourceType: "Bundle", type: "collection", ...(entries.length > 0 && { entry: entries }) };
}

/** The address of a resource; those that are not stored have no id, and no address. */
function fullUrl(base: string, { resourceType, id }: FhirJson): string {
  return id === undefined ? newUrn() : `${base}/${resourceType}/${id}`;
}

function newUrn(): string {
  return `urn:uuid:${randomUUID()}`;
}
