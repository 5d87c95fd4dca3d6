import type { LinkageNotification, NotificationQueue, WaitingNotification } from "../../linkage/ports.ts";
import type { Database } from "../database.ts";
import { WM_NOTIFICATION } from "./notification-rows.ts";

interface WaitingRow {
  readonly patientId: bigint;
  readonly n: number;
  readonly payload: string;
  readonly attempts: number;
  readonly dueAt: Date | null;
}

/** The name of the lease of whoever delivers. */
const LEASE = "wm";

/** Notifications that wait in the outbox. */
export function notificationQueue(database: Database): NotificationQueue {
  return {
    async lease(holder, now, milliseconds) {
      const until = new Date(now.getTime() + milliseconds);
      const taken = await database.$executeRaw`
        UPDATE lease SET holder = ${holder}, held_until = ${until}
        WHERE name = ${LEASE} AND (holder IS NULL OR holder = ${holder} OR held_until <= ${now})`;
      return taken > 0;
    },
    async release(holder) {
      await database.$executeRaw`
        UPDATE lease SET holder = NULL, held_until = NULL WHERE name = ${LEASE} AND holder = ${holder}`;
    },
    async waiting(limit) {
      const rows = await database.$queryRaw<WaitingRow[]>`
        SELECT patient_id AS "patientId", n, payload, attempts, due_at AS "dueAt" FROM outbox
        WHERE kind = ${WM_NOTIFICATION} ORDER BY at, patient_id, n LIMIT ${limit}`;
      return rows.map(waitingOf);
    },
    async delivered({ place }) {
      await database.$executeRaw`
        DELETE FROM outbox WHERE patient_id = ${place.patientId} AND n = ${place.n}`;
    },
    async failed({ place }, dueAt) {
      await database.$executeRaw`
        UPDATE outbox SET attempts = attempts + 1, due_at = ${dueAt}
        WHERE patient_id = ${place.patientId} AND n = ${place.n}`;
    },
    async state() {
      const [row] = await database.$queryRaw<{ waiting: bigint; failing: bigint }[]>`
        SELECT count(*) AS waiting, count(*) FILTER (WHERE attempts > 0) AS failing
        FROM outbox WHERE kind = ${WM_NOTIFICATION}`;
      return { waiting: Number(row?.waiting ?? 0), failing: Number(row?.failing ?? 0) };
    },
  };
}

function waitingOf({ patientId, n, payload, attempts, dueAt }: WaitingRow): WaitingNotification {
  return {
    notification: JSON.parse(payload) as LinkageNotification,
    place: { patientId, n },
    attempts,
    dueAt: dueAt ?? undefined,
  };
}
