import type { Meta } from "#proto/patientindex/v1/datatypes_pb.ts";
import { isSubsetted } from "../resources/index.ts";
import type { Report } from "./report.ts";

/** Refuses what was read with `_elements` and put back: storing it would delete what had been cut. */
export function checkWhole(meta: Meta | undefined, path: string, report: Report): void {
  if (isSubsetted(meta)) report("RESOURCE_SUBSETTED", {}, `${path}.meta.tag`);
}
