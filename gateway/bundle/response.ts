import type { FhirJson } from "../fhir/index.ts";

/** Bundle of type batch-response or transaction-response. */
export function responseBundle(to: "batch" | "transaction", entries: readonly FhirJson[]): FhirJson {
  return {
    resourceType: "Bundle",
    type: `${to}-response`,
    ...(entries.length > 0 && { entry: [...entries] }),
  };
}
