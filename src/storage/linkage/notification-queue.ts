import type { OutboxPlace } from "../../deliveries/ports.ts";
import type { NotificationQueue, WaitingNotification } from "../../linkage/ports.ts";
import type { LinkageNotification } from "../../registers/ports.ts";
import { FRONT, isOfKind, postpone, settle, tupleOf } from "../changes/waiting.ts";
import type { Database } from "../connection/database.ts";
import { leaseOf } from "../connection/lease.ts";
import { WM_NOTIFICATION } from "./notification-rows.ts";

interface WaitingRow extends OutboxPlace {
  readonly version: number;
  readonly payload: string;
  readonly attempts: number;
  readonly dueAt: Date | null;
}

/** The name of the lease of whoever delivers. */
const LEASE = "wm";
const IS_NOTIFICATION = isOfKind(WM_NOTIFICATION);

/** Notifications that wait in the outbox. */
export function notificationQueue(database: Database): NotificationQueue {
  return {
    ...leaseOf(database, LEASE),
    async waiting(limit, behind = FRONT) {
      const rows = await database.$queryRaw<WaitingRow[]>`
        SELECT at, patient_id AS "patientId", n, version, payload, attempts, due_at AS "dueAt" FROM outbox
        WHERE ${IS_NOTIFICATION} AND (at, patient_id, n) > ${tupleOf(behind)}
        ORDER BY at, patient_id, n LIMIT ${limit}`;
      return rows.map(waitingOf);
    },
    async waitingUpTo(place) {
      const [row] = await database.$queryRaw<{ waiting: bigint }[]>`
        SELECT count(*) AS waiting FROM outbox
        WHERE ${IS_NOTIFICATION} AND (at, patient_id, n) <= ${tupleOf(place)}`;
      return Number(row?.waiting ?? 0);
    },
    delivered: ({ place }) => settle(database, place),
    failed: ({ place }, dueAt) => postpone(database, place, dueAt),
  };
}

function waitingOf({ at, patientId, n, version, payload, attempts, dueAt }: WaitingRow): WaitingNotification {
  return {
    notification: JSON.parse(payload) as LinkageNotification,
    place: { at, patientId, n },
    version,
    attempts,
    dueAt: dueAt ?? undefined,
  };
}
