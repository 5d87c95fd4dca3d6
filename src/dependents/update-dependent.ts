import { type Fault, refuseFor } from "../errors/index.ts";
import { refuseOtherId, refuseOtherVersion } from "../resources/index.ts";
import { checkStructure } from "../structure/index.ts";
import { type DependentId, parseDependentId } from "./dependent-id.ts";
import type { DependentIndex } from "./dependent-index.ts";
import { type NamedPatient, namedPatient, storedReference, wrongReference } from "./named-patient.ts";
import type { Dependent } from "./ports.ts";

/**
 * Replaces a dependent by its next version. With an etag only when it is that of the current version, else ABORTED.
 * A deleted one stays deleted (410), and a dependent stays with its patient: naming another one is refused.
 */
export async function updateDependent<Resource extends Dependent>(
  index: DependentIndex<Resource>,
  id: string,
  given: Resource,
): Promise<Resource> {
  const { kind, store, now } = index;
  refuseFor(checkStructure(kind.schema, given));
  refuseOtherId(kind.type, id, given);
  const key = parseDependentId(id);
  if (!key) throw kind.notFound(id);
  const rules = await kind.rulesFor(given);
  const patient = await namedPatient(index, given);
  const replaced = await store.change(key, now(), async (current, around) => {
    if (current.deleted) throw kind.deleted(id);
    refuseOtherVersion(current.resource, given.etag);
    const { resource, faults } = rules(await around(), current.resource);
    refuseFor([...patientFaults(index, patient, key), ...faults]);
    return kind.withPatient(resource, storedReference(kind.patientOf(given), key.patientId));
  });
  if (!replaced) throw kind.notFound(id);
  return replaced.resource;
}

function patientFaults<Resource extends Dependent>(
  { kind }: DependentIndex<Resource>,
  patient: NamedPatient,
  { patientId }: DependentId,
): Fault[] {
  const path = `${kind.type}.${kind.patientElement}`;
  if (!patient) return [];
  if ("fault" in patient) return [patient.fault];
  return patient.id === patientId ? [] : [wrongReference(path)];
}
