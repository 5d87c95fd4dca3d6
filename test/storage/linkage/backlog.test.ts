import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type Delivery,
  deliverAllNow,
  deliverNotifications,
} from "../../../src/linkage/deliver-notifications.ts";
import type { NotificationQueue } from "../../../src/linkage/ports.ts";
import { notificationQueue } from "../../../src/storage/index.ts";
import { said, type WmReceiver, wmReceiver } from "../../linkage/wm-receiver.ts";
import { openStore, type StoreUnderTest } from "../patients/store.ts";

const START = new Date("2026-05-01T10:00:00.000Z");
const NOW = at(10_000);
const REFUSALS = 1000;
/** Ids from here on are of patients whose links the WM service refuses. */
const FIRST_REFUSED = 1_000_000;

let opened: StoreUnderTest;
let receiver: WmReceiver;

beforeEach(async () => {
  opened = await openStore();
  receiver = wmReceiver();
  receiver.refuses = ({ secondaryId }) => Number(secondaryId) >= FIRST_REFUSED;
});

afterEach(() => opened.close());

describe("behind a thousand notifications that it refuses, the WM service", () => {
  it("is told what is of other patients while those are not due again", async () => {
    await refusedPairs(at(20_000));
    await linked(1, 2, at(5000));
    expect(await deliverNotifications(delivery())).toEqual({ delivered: 1, failed: 0 });
    expect(receiver.taken.map(said)).toEqual(["link 1>2"]);
  });

  it("is told it by a job, which tries each of those once", async () => {
    await refusedPairs(at(20_000));
    await linked(1, 2, at(5000));
    const { signal } = new AbortController();
    expect(await deliverAllNow(delivery(), signal)).toEqual({ delivered: 1, failed: REFUSALS });
  });

  it("is not told what is of the same patients", async () => {
    await refusedPairs(at(20_000));
    await linked(1, FIRST_REFUSED, at(5000));
    await linked(2, 1, at(5001));
    expect(await deliverNotifications(delivery())).toEqual({ delivered: 0, failed: 0 });
  });

  it("is told of a patient in order, though the earlier was stored when the round had passed its place", async () => {
    await refusedPairs(at(20_000));
    const queue = notificationQueue(opened.database);
    let pages = 0;
    const overtaken: NotificationQueue = {
      ...queue,
      async waiting(...asked) {
        const page = await queue.waiting(...asked);
        if (++pages === 1) {
          await linked(1, 2, START);
          await linked(2, 3, at(5000));
        }
        return page;
      },
    };
    await deliverNotifications({ ...delivery(), queue: overtaken });
    expect(receiver.taken.map(said)).toEqual(["link 1>2", "link 2>3"]);
  });
});

function delivery(): Delivery {
  return {
    queue: notificationQueue(opened.database),
    notifier: receiver,
    authorOf: async () => undefined,
    now: async () => NOW,
    onFailure: () => undefined,
  };
}

/** Links that were refused, each of patients of their own, and are due again at an instant. */
async function refusedPairs(dueAt: Date): Promise<void> {
  await opened.database.$executeRaw`
    INSERT INTO outbox (patient_id, n, kind, resource_type, dependent, version, at, attempts, due_at, payload)
    SELECT secondary, 1, 'wm', 'Patient', 0, 1, ${START}::timestamp(3) + pair * interval '1 ms', 1, ${dueAt},
      json_build_object('kind', 'link', 'secondaryId', secondary::text, 'primaryId', (secondary + 1)::text)
    FROM generate_series(0, ${REFUSALS}::int - 1) AS pair, LATERAL (SELECT ${FIRST_REFUSED}::bigint + 2 * pair AS secondary) AS patient`;
}

async function linked(secondary: number, primary: number, storedAt: Date): Promise<void> {
  const payload = { kind: "link", secondaryId: String(secondary), primaryId: String(primary) };
  await opened.database.$executeRaw`
    INSERT INTO outbox (patient_id, n, kind, resource_type, dependent, version, at, payload)
    VALUES (${secondary}, 1, 'wm', 'Patient', 0, 1, ${storedAt}, ${JSON.stringify(payload)})`;
}

function at(milliseconds: number): Date {
  return new Date(START.getTime() + milliseconds);
}
