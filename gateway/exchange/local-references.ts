import type { Reference } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Reached, relativeReference } from "../../src/references/index.ts";

/** Makes references to the index relative: the core does not know where it is reached. */
export function makeRelative(references: readonly (Reference | undefined)[], reached: Reached): void {
  for (const one of references) {
    if (one?.reference !== undefined) one.reference = relativeReference(one.reference, reached);
  }
}
