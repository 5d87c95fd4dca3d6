import type { Transaction } from "../connection/database.ts";

/** The types of which the outbox tells, and which have a feed each. */
export type ResourceType = "Patient" | "RelatedPerson" | "Observation";

/** Which resource: the patient itself, as number 0, or one of its dependents. */
export interface ResourceKey {
  readonly resourceType: ResourceType;
  readonly patientId: bigint;
  readonly dependent: number;
}

export interface Change extends ResourceKey {
  /** Number among the patient's outbox rows, given under the lock of the patient. */
  readonly event: number;
  readonly version: number;
  readonly at: Date;
}

/** The kind of outbox row that the change feeds are published from. */
export const CHANGE = "change";

/** Tells, in the transaction of the write, that a version was written. */
export async function recordChange(transaction: Transaction, change: Change): Promise<void> {
  await transaction.$executeRaw`
    INSERT INTO outbox (patient_id, n, kind, resource_type, dependent, version, at)
    VALUES (${change.patientId}, ${change.event}, ${CHANGE}, ${change.resourceType}, ${change.dependent},
      ${change.version}, ${change.at})`;
}
