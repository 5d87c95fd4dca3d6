import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { PatientDirectory } from "../dependents/index.ts";
import { MpiError } from "../errors/index.ts";
import type { PatientStore, StoredPatient } from "./ports.ts";
import { othersIdentifiers } from "./rules/index.ts";

/** Patients as their dependents see them. */
export function patientDirectory(store: PatientStore): PatientDirectory {
  return {
    identifiersOfPerson: (id) => identifiersOfPerson(store, id),
    exists: (id) => store.exists(id),
    holders: (identifiers) => store.holders(identifiers),
    group: (id) => store.group(id),
  };
}

async function identifiersOfPerson(store: PatientStore, id: bigint): Promise<Identifier[] | undefined> {
  const stored = await store.read(id);
  if (!stored) return undefined;
  const { group } = stored;
  const primary = group?.role === "secondary" ? await readable(store, group.primaryId) : undefined;
  return [...shownIdentifiers(stored), ...(primary ? shownIdentifiers(primary) : [])];
}

/** A primary shows those of its whole group. */
function shownIdentifiers({ patient, group }: StoredPatient): Identifier[] {
  return [...patient.identifier, ...othersIdentifiers(patient, group)];
}

/** A primary that does not open (MPI-003) keeps nobody from the records below it. */
async function readable(store: PatientStore, id: bigint): Promise<StoredPatient | undefined> {
  try {
    return await store.read(id);
  } catch (error) {
    if (error instanceof MpiError && error.says("INDEX_DECRYPTION_FAILED")) return undefined;
    throw error;
  }
}
