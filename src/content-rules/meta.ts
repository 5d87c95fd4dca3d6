import type { Meta } from "#proto/patientindex/v1/datatypes_pb.ts";

/** Meta without what the index itself says: which version it is, and when it was stored. */
export function withoutVersion(meta: Meta | undefined): Meta | undefined {
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
