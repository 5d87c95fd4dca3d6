import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import { MpiError } from "../errors/index.ts";
import type { PatientStore, StoredPatient } from "./ports.ts";
import { othersIdentifiers } from "./rules/index.ts";

/**
 * The identifiers of patients and of their linked groups, whose records are one person's, by id: its own first. Each
 * group is read once, however many of its members are asked for.
 */
export async function identifiersOfPersons(
  store: PatientStore,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, Identifier[]>> {
  const read = await Promise.all(ids.map(async (id) => [id, await store.read(id)] as const));
  const found = read.flatMap(([id, stored]) => (stored ? [{ id, stored }] : []));
  const ofPrimaries = new Map<bigint, Identifier[]>();
  for (const primaryId of new Set(found.flatMap(({ stored }) => primaryIdOf(stored) ?? []))) {
    const primary = await readable(store, primaryId);
    if (primary) ofPrimaries.set(primaryId, shownIdentifiers(primary));
  }
  return new Map(
    found.map(({ id, stored }) => [
      id,
      [...shownIdentifiers(stored), ...(ofPrimaries.get(primaryIdOf(stored) ?? id) ?? [])],
    ]),
  );
}

/**
 * The identifiers of the others that are linked below a patient: a primary shows them, and a secondary did when it was
 * one, so that a client may have read them there.
 */
export async function identifiersBelow(
  store: PatientStore,
  stored: StoredPatient,
): Promise<readonly Identifier[]> {
  const { patient, group } = stored;
  const primaryId = primaryIdOf(stored);
  const primary = primaryId === undefined ? undefined : await readable(store, primaryId);
  return othersIdentifiers(patient, primary?.group ?? group);
}

/** A primary shows those of its whole group. */
function shownIdentifiers({ patient, group }: StoredPatient): Identifier[] {
  return [...patient.identifier, ...othersIdentifiers(patient, group)];
}

function primaryIdOf({ group }: StoredPatient): bigint | undefined {
  return group?.role === "secondary" ? group.primaryId : undefined;
}

/** A primary that does not open (MPI-003) keeps nobody from the records below it. */
async function readable(store: PatientStore, primaryId: bigint): Promise<StoredPatient | undefined> {
  try {
    return await store.read(primaryId);
  } catch (error) {
    if (error instanceof MpiError && error.says("INDEX_DECRYPTION_FAILED")) return undefined;
    throw error;
  }
}
