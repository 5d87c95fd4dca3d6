import { afterEach, beforeEach, expect, it } from "vitest";
import { linkPatients } from "../../../src/linkage/index.ts";
import type { Database, Transaction } from "../../../src/storage/connection/database.ts";
import { linkStore, unitOfWork } from "../../../src/storage/index.ts";
import { onServer } from "../../database.ts";
import { LinkModel } from "../../linkage/link-model.ts";
import { expectAgreement, expectNoDeadlock } from "./agreement.ts";
import { byId, type LinkageUnderTest, openLinkage } from "./linked-patients.ts";

let opened: LinkageUnderTest;

beforeEach(async () => {
  opened = await openLinkage();
});

afterEach(async () => {
  await opened.close();
});

it("nobody waits in a circle when a target goes over to another group between the look for its root and the locks", async () => {
  const [source, target, first, second, third] = await five();
  const model = new LinkModel();
  for (const id of [source, target, first, second, third]) model.add(id, false);
  await opened.link(target, first);
  let above: Promise<unknown> | undefined;
  const database = slowed(opened.database, {
    afterQueries: [
      async () => {
        await opened.unlink(target, first);
        await opened.link(target, second);
      },
    ],
    async beforeWrite() {
      above = opened.link(second, third);
      await expect.poll(waiting, { interval: 10 }).toBe(1);
    },
  });
  const linkage = { ...opened.linkage, links: linkStore(database, opened.ring) };
  await linkPatients(linkage, { source: byId(source), target: byId(target) }, "1.5.0");
  await above;
  for (const [lower, upper] of [
    [target, second],
    [source, target],
    [second, third],
  ] as const) {
    expect(model.link(lower, upper)).toBe(true);
  }
  await expectNoDeadlock(opened);
  await expectAgreement(opened, model);
});

it("nor when a transaction locks two whose group changes between that look and the locks", async () => {
  const [one, other] = [await opened.add(), await opened.add()];
  let parted: Promise<unknown> | undefined;
  const database = slowed(opened.database, {
    afterQueries: [
      async () => {
        await opened.link(one, other);
      },
      async () => {
        parted = opened.unlink(one, other);
        await expect.poll(waiting, { interval: 10 }).toBe(1);
      },
    ],
  });
  const work = unitOfWork(database, opened.ring);
  await work.run(() => work.lockPatients([BigInt(one), BigInt(other)]));
  await parted;
  await expectNoDeadlock(opened);
});

/** What others do while one locks or links: each once, after the first queries and before the first write. */
interface Meanwhile {
  readonly afterQueries: readonly (() => Promise<void>)[];
  readonly beforeWrite?: () => Promise<void>;
}

function slowed(database: Database, { afterQueries, beforeWrite }: Meanwhile): Database {
  const [queries, write] = [[...afterQueries], once(beforeWrite ?? (async () => undefined))];
  const slow = (transaction: Transaction) =>
    replacing(transaction, {
      $queryRaw: async (...parts: Parameters<Transaction["$queryRaw"]>) => {
        const rows = await transaction.$queryRaw(...parts);
        await queries.shift()?.();
        return rows;
      },
      $executeRaw: async (...parts: Parameters<Transaction["$executeRaw"]>) => {
        await write();
        return await transaction.$executeRaw(...parts);
      },
    });
  return replacing(database, {
    $transaction: (work: (transaction: Transaction) => Promise<unknown>, options: object) =>
      database.$transaction((transaction) => work(slow(transaction)), options),
  });
}

function once(action: () => Promise<void>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await action();
  };
}

function replacing<Target extends object>(
  target: Target,
  replaced: Readonly<Record<string, unknown>>,
): Target {
  return new Proxy(target, {
    get: (_, property) =>
      typeof property === "string" && property in replaced
        ? replaced[property]
        : Reflect.get(target, property),
  });
}

/** How many sessions wait for a lock. */
async function waiting(): Promise<number> {
  return await onServer(opened.databaseUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0].n;
  });
}

async function five(): Promise<[string, string, string, string, string]> {
  return [await opened.add(), await opened.add(), await opened.add(), await opened.add(), await opened.add()];
}
