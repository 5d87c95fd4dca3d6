import { randomUUID } from "node:crypto";
import type { LinkageNotification, Telling } from "../../linkage/ports.ts";
import type { Transaction } from "../database.ts";

/** The kind of outbox row that the WM service is told from. */
export const WM_NOTIFICATION = "wm";

/** What happened to a link. */
export interface LinkEvent {
  readonly kind: LinkageNotification["kind"];
  readonly secondaryId: bigint;
  readonly primaryId: bigint;
  readonly at: Date;
}

/** Tells of a link as the last step of its transaction: into the outbox, or straight away. */
export async function tellOf(
  transaction: Transaction,
  event: LinkEvent,
  telling: Telling,
  onTold: (notificationId: string) => void,
): Promise<void> {
  const notification: LinkageNotification = {
    id: randomUUID(),
    kind: event.kind,
    secondaryId: String(event.secondaryId),
    primaryId: String(event.primaryId),
    at: event.at.toISOString(),
  };
  if (telling === "outbox") return await insertNotification(transaction, event, notification);
  // A try that ends without an answer may have been taken all the same.
  onTold(notification.id);
  await telling.tell(notification);
}

async function insertNotification(
  transaction: Transaction,
  { secondaryId, at }: LinkEvent,
  notification: LinkageNotification,
): Promise<void> {
  const [row] = await transaction.$queryRaw<{ n: number }[]>`
    UPDATE patient SET last_event = last_event + 1 WHERE id = ${secondaryId} RETURNING last_event AS n`;
  await transaction.$executeRaw`
    INSERT INTO outbox (patient_id, n, kind, resource_type, dependent, version, at, payload)
    VALUES (${secondaryId}, ${row?.n}, ${WM_NOTIFICATION}, 'Patient', 0, 0, ${at}, ${JSON.stringify(notification)})`;
}
