import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { budgetMs, currentSignal, underCall } from "../../../src/call/current-call.ts";
import { deliveryTo } from "../../../src/composition/deliveries.ts";
import { tracingWork } from "../../../src/composition/tracing.ts";
import { type Delivery, deliverNotifications } from "../../../src/linkage/deliver-notifications.ts";
import { linkPatients, synchronousTeller } from "../../../src/linkage/index.ts";
import type { LinkageNotification } from "../../../src/registers/ports.ts";
import { openDatabase } from "../../../src/storage/connection/database.ts";
import { linkStore, notificationQueue } from "../../../src/storage/index.ts";
import { onServer } from "../../database.ts";
import { said, type WmReceiver, wmReceiver } from "../../linkage/wm-receiver.ts";
import { WayToDatabase } from "../../way-to-database.ts";
import { callOf } from "../audit/trail.ts";
import { makeVictimOnce } from "../victim-once.ts";
import { byId, type LinkageUnderTest, linksOf, openLinkage } from "./linked-patients.ts";

let opened: LinkageUnderTest;
let receiver: WmReceiver;
let clock: number;

beforeEach(async () => {
  receiver = wmReceiver();
  clock = Date.now();
});

afterEach(async () => {
  await opened.close();
});

describe("with the outbox, the WM service", () => {
  beforeEach(async () => {
    opened = await openLinkage();
  });

  it("is told of each link and unlink, in their order, each under an id of its own", async () => {
    const [a, b, c] = [await opened.add(), await opened.add(), await opened.add()];
    await opened.link(a, b);
    await opened.link(b, c);
    await opened.unlink(c, a);
    expect(await deliver()).toEqual({ delivered: 3, failed: 0 });
    expect(receiver.taken.map(said)).toEqual([`link ${a}>${b}`, `link ${b}>${c}`, `unlink ${a}>${b}`]);
    expect(new Set(receiver.taken.map(({ id }) => id)).size).toBe(3);
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
  });

  it("is not told of what was refused", async () => {
    const a = await opened.add();
    await expect(opened.link(a, a)).rejects.toThrow("LINK_TO_SELF");
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
  });

  it("is asked again, later each time, and by whoever runs then", async () => {
    const [a, b] = [await opened.add(), await opened.add()];
    await opened.link(a, b);
    receiver.refuses = () => true;
    expect(await deliver()).toEqual({ delivered: 0, failed: 1 });
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    clock += 1000;
    expect(await deliver()).toEqual({ delivered: 0, failed: 1 });
    clock += 1000;
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    expect(await triesInVain()).toEqual([2]);
    receiver.refuses = () => false;
    clock += 1000;
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
    expect(await triesInVain()).toEqual([]);
  });

  it("gets nothing of a patient behind what it did not take, and everything of others", async () => {
    const [a, b, c, d, e] = await five();
    await opened.link(a, b);
    await opened.link(d, e);
    await opened.link(b, c);
    await opened.unlink(a, b);
    await opened.unlink(d, e);
    receiver.refuses = ({ secondaryId }) => secondaryId === a;
    expect(await deliver()).toEqual({ delivered: 2, failed: 1 });
    expect(receiver.taken.map(said)).toEqual([`link ${d}>${e}`, `unlink ${d}>${e}`]);
    receiver.refuses = () => false;
    clock += 1000;
    await deliver();
    expect(receiver.taken.slice(2).map(said)).toEqual([
      `link ${a}>${b}`,
      `link ${b}>${c}`,
      `unlink ${a}>${b}`,
    ]);
  });

  it("may hear a thing twice when a delivery was not noted, then by the same id", async () => {
    const [a, b] = [await opened.add(), await opened.add()];
    await opened.link(a, b);
    const forgetful = { ...queue(), delivered: () => Promise.reject(new Error("The process was killed.")) };
    await expect(deliverNotifications({ ...delivery(), queue: forgetful })).rejects.toThrow();
    await deliver();
    const [first, second] = receiver.taken;
    expect(second).toEqual(first);
    expect(receiver.taken).toHaveLength(2);
  });

  it("hears nothing again from a deliverer who stood still while others delivered, but what that was at", async () => {
    const [a, b, c] = [await opened.add(), await opened.add(), await opened.add()];
    await opened.link(a, b);
    await opened.unlink(a, b);
    await opened.link(a, c);
    const stopped: Delivery = {
      ...delivery(),
      notifier: {
        ...receiver,
        async notify(notification, signal) {
          await onServer(opened.databaseUrl, (client) =>
            client.query("UPDATE lease SET held_until = held_until - interval '1 minute'"),
          );
          await deliver();
          await receiver.notify(notification, signal);
        },
      },
    };
    await deliverNotifications(stopped);
    const [first, second, third, again] = receiver.taken;
    expect([first, second, third].map((one) => one && said(one))).toEqual([
      `link ${a}>${b}`,
      `unlink ${a}>${b}`,
      `link ${a}>${c}`,
    ]);
    expect(again).toEqual(first);
    expect(receiver.taken).toHaveLength(4);
  });

  it("is asked again by the clock of the database, whatever the process takes for the time", async () => {
    const [a, b] = [await opened.add(), await opened.add()];
    await opened.link(a, b);
    const log = pino({ level: "silent" });
    const work = { database: opened.database, log, traceWork: tracingWork(undefined) };
    const store = { authorOf: async () => undefined };
    const deliverWithClockAhead = () => {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
      return deliverNotifications(deliveryTo(receiver, store, work, () => undefined)).finally(() =>
        vi.useRealTimers(),
      );
    };
    receiver.refuses = () => true;
    expect(await deliverWithClockAhead()).toEqual({ delivered: 0, failed: 1 });
    const [waiting] = await queue().waiting(1);
    expect(Number(waiting?.dueAt)).toBeLessThan(Date.now() + 60_000);
    await onServer(opened.databaseUrl, (client) =>
      client.query("UPDATE outbox SET due_at = due_at + interval '1 minute'"),
    );
    expect(await deliverWithClockAhead()).toEqual({ delivered: 0, failed: 0 });
  });

  it("hears one deliverer at a time, and the next one when that has gone", async () => {
    const [a, b] = [await opened.add(), await opened.add()];
    await opened.link(a, b);
    await queue().lease("somebody", 60_000);
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    await onServer(opened.databaseUrl, (client) =>
      client.query("UPDATE lease SET held_until = held_until - interval '1 minute'"),
    );
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
  });
});

describe("after the clock of the database was set back by a day, the WM service", () => {
  beforeEach(async () => {
    opened = await openLinkage();
  });

  const setBack = (column: string, table: string) =>
    onServer(opened.databaseUrl, (client) =>
      client.query(`UPDATE ${table} SET ${column} = ${column} + interval '1 day'`),
    );

  it("hears the next deliverer when one was killed before", async () => {
    const [a, b] = [await opened.add(), await opened.add()];
    await opened.link(a, b);
    await queue().lease("killed", 25_000);
    await setBack("held_until", "lease");
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
  });

  it("is asked again when it did not answer before", async () => {
    const [a, b] = [await opened.add(), await opened.add()];
    await opened.link(a, b);
    receiver.refuses = () => true;
    expect(await deliver()).toEqual({ delivered: 0, failed: 1 });
    receiver.refuses = () => false;
    await setBack("due_at", "outbox");
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
  });
});

describe("told before the commit, the WM service", () => {
  beforeEach(async () => {
    opened = await openLinkage(synchronousTeller(receiver, () => undefined));
  });

  it("takes the notification of a link that is then stored", async () => {
    const [a, b] = [await opened.add(), await opened.add()];
    await opened.link(a, b);
    expect(receiver.taken.map(said)).toEqual([`link ${a}>${b}`]);
    expect(receiver.takenBack).toEqual([]);
    expect(await triesInVain()).toEqual([]);
  });

  it("refuses the link when it refuses, and nothing is stored", async () => {
    const [a, b] = [await opened.add(), await opened.add()];
    receiver.refuses = () => true;
    await expect(opened.link(a, b)).rejects.toThrow("WM_NOTIFICATION_FAILED");
    expect(linksOf(await opened.read(a))).toEqual([]);
    expect((await opened.read(a)).meta?.versionId).toBe("1");
  });

  it("has two seconds, and is told to forget what it may have taken then", async () => {
    const [a, b] = [await opened.add(), await opened.add()];
    receiver.isSilent = true;
    await expect(opened.link(a, b)).rejects.toThrow("WM_NOTIFICATION_FAILED");
    expect(receiver.takenBack).toEqual(receiver.taken.map(({ id }) => id));
    expect(linksOf(await opened.read(b))).toEqual([]);
  });

  it("is told to forget what was undone as the victim of a deadlock, and told anew", async () => {
    const [a, b] = [await opened.add(), await opened.add()];
    await makeVictimOnce(opened.databaseUrl, "link");
    await opened.link(a, b);
    const [undone, stored] = receiver.taken;
    expect(receiver.taken.map(said)).toEqual([`link ${a}>${b}`, `link ${a}>${b}`]);
    expect(stored?.id).not.toBe(undone?.id);
    expect(receiver.takenBack).toEqual([undone?.id]);
  });

  it("keeps a link that was stored though the answer to its commit got lost", async () => {
    const [a, b] = [await opened.add(), await opened.add()];
    const linked = await linkOverBreaking(a, b, (way) => {
      way.loseAnswers();
      void hangUpOnceStored(way, a);
    });
    expect(linksOf(linked)).toEqual([`replaces ${a}`]);
    expect(receiver.taken.map(said)).toEqual([`link ${a}>${b}`]);
    expect(receiver.takenBack).toEqual([]);
  });

  it("keeps it when the process stands still before it looks whether it was stored", async () => {
    const [a, b] = [await opened.add(), await opened.add()];
    const now = performance.now.bind(performance);
    const linked = await linkOverBreaking(a, b, (way) => {
      way.loseAnswers();
      void hangUpOnceStored(way, a);
      let stoodStill = 0;
      vi.spyOn(performance, "now").mockImplementation(() => {
        stoodStill += 3_000;
        return now() + stoodStill;
      });
    }).finally(() => vi.restoreAllMocks());
    expect(linksOf(linked)).toEqual([`replaces ${a}`]);
    expect(receiver.takenBack).toEqual([]);
  });

  it("keeps a link whose commit was still under way when the connection broke", async () => {
    const [a, b] = [await opened.add(), await opened.add()];
    await holdCommitsOfLinks();
    await onServer(opened.databaseUrl, async (standby) => {
      await standby.query("SELECT pg_advisory_lock(7)");
      const broken = Promise.withResolvers<void>();
      const linked = linkOverBreaking(a, b, (way) => broken.resolve(hangUpOnceCommitting(way)));
      await broken.promise;
      await delay(300); // for the link to be looked for
      await standby.query("SELECT pg_advisory_unlock(7)");
      expect(linksOf(await linked)).toEqual([`replaces ${a}`]);
    });
    expect(receiver.takenBack).toEqual([]);
  });

  it("is told to forget a link whose caller had no more time, in time of its own", async () => {
    const [a, b] = [await opened.add(), await opened.add()];
    const takeBack = receiver.takeBack;
    let [left, isCutOff] = [0, true];
    receiver.takeBack = async (id, signal) => {
      left = budgetMs(2_000);
      isCutOff = currentSignal()?.aborted ?? false;
      await takeBack(id, signal);
    };
    const gone = new AbortController();
    const notify = receiver.notify;
    receiver.notify = async (notification, signal) => {
      await notify(notification, signal);
      gone.abort();
      throw new Error("The WM service was late.");
    };
    const late = { ...callOf("LinkageService/LinkPatients", "request-9"), deadline: Date.now() - 1 };
    await expect(underCall(late, () => opened.link(a, b), gone.signal)).rejects.toThrow();
    expect(receiver.takenBack).toEqual(receiver.taken.map(({ id }) => id));
    expect({ left, isCutOff }).toEqual({ left: 2_000, isCutOff: false });
    expect(linksOf(await opened.read(a))).toEqual([]);
  });

  it("is told to forget a link whose commit failed", async () => {
    const [a, b] = [await opened.add(), await opened.add()];
    const notify = receiver.notify;
    receiver.notify = async (notification, signal) => {
      await notify(notification, signal);
      await killTransactions();
    };
    await expect(opened.link(a, b)).rejects.toThrow();
    expect(receiver.takenBack).toEqual(receiver.taken.map(({ id }) => id));
    expect(receiver.taken).toHaveLength(1);
    expect(linksOf(await opened.read(a))).toEqual([]);
  });
});

function queue() {
  return notificationQueue(opened.database);
}

/** How often each notification that waits was tried. */
async function triesInVain(): Promise<number[]> {
  return (await queue().waiting(10)).map(({ attempts }) => attempts);
}

function delivery(): Delivery {
  return {
    queue: queue(),
    notifier: receiver,
    authorOf: async () => undefined,
    now: async () => new Date(clock),
    onFailure: () => undefined,
  };
}

function deliver() {
  return deliverNotifications(delivery());
}

async function five(): Promise<[string, string, string, string, string]> {
  return [await opened.add(), await opened.add(), await opened.add(), await opened.add(), await opened.add()];
}

/** Links over a database of its own, whose connections break by what is done once WM has been told. */
async function linkOverBreaking(
  a: string,
  b: string,
  breaking: (way: WayToDatabase) => void,
): Promise<Patient> {
  const way = await WayToDatabase.to(opened.databaseUrl);
  const { url } = way;
  const onConnectionError = () => undefined;
  const database = openDatabase({ url, poolSize: 2, preparedStatements: true, onConnectionError });
  const telling = {
    ...synchronousTeller(receiver, () => undefined),
    async tell(notification: LinkageNotification) {
      await receiver.notify(notification, new AbortController().signal);
      breaking(way);
    },
  };
  try {
    const linkage = { ...opened.linkage, links: linkStore(database, opened.ring), telling };
    return await linkPatients(linkage, { source: byId(a), target: byId(b) }, "1.5.0");
  } finally {
    await database.$disconnect();
    await way.cut();
  }
}

/** The commit of a link waits for an advisory lock, as where it waits for a standby. */
async function holdCommitsOfLinks(): Promise<void> {
  await onServer(opened.databaseUrl, (client) =>
    client.query(`CREATE FUNCTION wait_for_standby() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock(7);
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON link DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION wait_for_standby()`),
  );
}

/** Breaks the connections to the database while it commits. */
async function hangUpOnceCommitting(way: WayToDatabase): Promise<void> {
  const committing = () =>
    onServer(opened.databaseUrl, async (client) => {
      const { rows } = await client.query(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query = 'COMMIT'`,
      );
      return rows;
    });
  await expect.poll(committing, { interval: 10 }).toHaveLength(1);
  way.hangUp();
}

/** Breaks the connections to the database when a patient is linked there. */
async function hangUpOnceStored(way: WayToDatabase, id: string): Promise<void> {
  await expect.poll(async () => linksOf(await opened.read(id)), { interval: 10 }).toHaveLength(1);
  way.hangUp();
}

/** Ends the sessions that are in a transaction, as a database does that goes down. */
async function killTransactions(): Promise<void> {
  await onServer(opened.databaseUrl, (client) =>
    client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle in transaction' AND pid <> pg_backend_pid()`),
  );
}
