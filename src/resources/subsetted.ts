import type { Meta } from "#proto/patientindex/v1/datatypes_pb.ts";

/** The tag of a resource that elements were cut from (R5, resource.html#SUBSETTED). */
export const SUBSETTED = {
  system: "http://terminology.hl7.org/CodeSystem/v3-ObservationValue",
  code: "SUBSETTED",
} as const;

export function isSubsetted(meta: Meta | undefined): boolean {
  return (
    meta?.tag.some(({ system, code }) => system === SUBSETTED.system && code === SUBSETTED.code) ?? false
  );
}
