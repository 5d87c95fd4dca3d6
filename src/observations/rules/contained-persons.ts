import type { Observation } from "#proto/patientindex/v1/observation_pb.ts";
import type { Report } from "../../content-rules/index.ts";

/**
 * A contained person has an id, and one of its own (MPI-096): without it nothing can refer to the person, and strict
 * readers refuse the resource.
 */
export function checkContainedPersons({ contained }: Observation, report: Report): void {
  const ids = new Set<string>();
  for (const [index, { resource }] of contained.entries()) {
    if (resource.case !== "relatedPerson") continue;
    const { id } = resource.value;
    const element = `Observation.contained[${index}].id`;
    if (id === undefined) report("ELEMENT_MISSING", { element }, element);
    else if (ids.has(id))
      report("ELEMENT_REPEATED_TOO_OFTEN", { element: `${element} (${id})`, max: "1" }, element);
    else ids.add(id);
  }
}
