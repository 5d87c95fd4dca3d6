import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";

/** What every resource has that the index takes from nobody. */
type Unprocessed = Pick<Patient, "$unknown" | "id" | "meta" | "text" | "contained" | "etag">;

/**
 * A copy without what the index takes from nobody: elements that it does not process, and what it says itself, which
 * resource this is, which version, and when it was stored. What is left is shared with the given one.
 */
export function withoutUnprocessedElements<Resource extends Unprocessed>(given: Resource): Resource {
  return {
    ...given,
    $unknown: undefined,
    id: undefined,
    meta: withoutVersion(given.meta),
    text: undefined,
    contained: [],
    etag: "",
  };
}

function withoutVersion(meta: Unprocessed["meta"]): Unprocessed["meta"] {
  return (
    meta && {
      ...meta,
      $unknown: undefined,
      versionId: undefined,
      versionIdElement: undefined,
      lastUpdated: undefined,
      lastUpdatedElement: undefined,
    }
  );
}
