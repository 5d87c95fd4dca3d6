import { randomUUID } from "node:crypto";
import type { LinkageNotification } from "../../registers/ports.ts";
import type { Transaction } from "../connection/database.ts";

/** The kind of outbox row that the WM service is told from. */
export const WM_NOTIFICATION = "wm";

/** What happened to a link. */
export interface LinkEvent {
  readonly kind: LinkageNotification["kind"];
  readonly secondaryId: bigint;
  readonly primaryId: bigint;
  readonly at: Date;
}

/** What the WM service is told of it; by the new id it knows repeats. */
export function notificationOf({ kind, secondaryId, primaryId, at }: LinkEvent): LinkageNotification {
  return {
    id: randomUUID(),
    kind,
    secondaryId: String(secondaryId),
    primaryId: String(primaryId),
    at: at.toISOString(),
  };
}

/**
 * Stores a notification in the transaction of what it tells of, with the version that this gave the secondary: by that
 * its author is found.
 */
export async function insertNotification(
  transaction: Transaction,
  { secondaryId, at }: LinkEvent,
  notification: LinkageNotification,
): Promise<void> {
  const [row] = await transaction.$queryRaw<{ n: number; version: number }[]>`
    UPDATE patient SET last_event = last_event + 1 WHERE id = ${secondaryId} RETURNING last_event AS n, version`;
  await transaction.$executeRaw`
    INSERT INTO outbox (patient_id, n, kind, resource_type, dependent, version, at, payload)
    VALUES (${secondaryId}, ${row?.n}, ${WM_NOTIFICATION}, 'Patient', 0, ${row?.version}, ${at}, ${JSON.stringify(notification)})`;
}
