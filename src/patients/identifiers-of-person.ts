import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import { MpiError } from "../errors/index.ts";
import type { PatientStore, StoredPatient } from "./ports.ts";
import { othersIdentifiers } from "./rules/index.ts";

/** The identifiers of a patient and of its linked group, whose records are one person's: its own first. */
export async function identifiersOfPerson(store: PatientStore, stored: StoredPatient): Promise<Identifier[]> {
  const primary = await primaryOf(store, stored);
  return [...shownIdentifiers(stored), ...(primary ? shownIdentifiers(primary) : [])];
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
  const primary = await primaryOf(store, stored);
  return othersIdentifiers(patient, primary?.group ?? group);
}

/** A primary shows those of its whole group. */
function shownIdentifiers({ patient, group }: StoredPatient): Identifier[] {
  return [...patient.identifier, ...othersIdentifiers(patient, group)];
}

/** The primary of a secondary; one that does not open (MPI-003) keeps nobody from the records below it. */
async function primaryOf(store: PatientStore, { group }: StoredPatient): Promise<StoredPatient | undefined> {
  if (group?.role !== "secondary") return undefined;
  try {
    return await store.read(group.primaryId);
  } catch (error) {
    if (error instanceof MpiError && error.says("INDEX_DECRYPTION_FAILED")) return undefined;
    throw error;
  }
}
