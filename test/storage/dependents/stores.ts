import { clone } from "@bufbuild/protobuf";
import { type Observation, ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { type RelatedPerson, RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import { type DependentId, parseDependentId } from "../../../src/dependents/dependent-id.ts";
import type { Dependent, DependentStore } from "../../../src/dependents/index.ts";
import { observationStore, relatedPersonStore } from "../../../src/storage/index.ts";
import { maritalStatus } from "../../observations/examples.ts";
import { contactPerson } from "../../related-persons/examples.ts";
import { openStore, type StoreUnderTest, somebody } from "../patients/store.ts";

export const NOW = new Date("2026-03-29T00:59:59.123Z");
export const LATER = new Date("2026-03-29T01:00:00.456Z");

/** A store of dependents of one type, with a valid one to put into it. */
export interface TypeUnderTest<Resource extends Dependent> {
  readonly name: string;
  readonly open: (opened: StoreUnderTest) => DependentStore<Resource>;
  /** A valid one, holding an identifier of this value. */
  readonly example: (value: string) => Resource;
  readonly copy: (resource: Resource) => Resource;
  readonly changed: (resource: Resource, language: string) => Resource;
}

export const relatedPersons: TypeUnderTest<RelatedPerson> = {
  name: "contact persons",
  open: ({ database, ring }) => relatedPersonStore(database, ring),
  example: (value) => contactPerson({ identifier: [{ system: "https://fhir.ee/sid/pid/fin/ni", value }] }),
  copy: (resource) => clone(RelatedPersonSchema, resource),
  changed: (resource, language) => ({ ...clone(RelatedPersonSchema, resource), language }),
};

export const observations: TypeUnderTest<Observation> = {
  name: "observations",
  open: ({ database, ring }) => observationStore(database, ring),
  example: (value) => maritalStatus({ identifier: [{ system: "https://example.org/acts", value }] }),
  copy: (resource) => clone(ObservationSchema, resource),
  changed: (resource, language) => ({ ...clone(ObservationSchema, resource), language }),
};

export { openStore, type StoreUnderTest };

/** A stored patient with nobody around. */
export async function newPatient({ store }: StoreUnderTest): Promise<Patient & { readonly number: bigint }> {
  const patient = await store.create(somebody(), NOW);
  return { ...patient, number: BigInt(patient.id ?? "") };
}

export function keyOf(dependent: Dependent | undefined): DependentId {
  const key = parseDependentId(dependent?.id ?? "");
  if (!key) throw new Error(`${dependent?.id} is not the id of a dependent`);
  return key;
}
