import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { underSignal } from "../../src/call/current-call.ts";
import { unitOfWork } from "../../src/storage/index.ts";
import { inTransaction } from "../../src/storage/transactions/transaction.ts";
import { onServer } from "../database.ts";
import { openStore, type StoreUnderTest, somebody } from "./patients/store.ts";

let opened: StoreUnderTest;

beforeEach(async () => {
  opened = await openStore();
});

afterEach(async () => {
  await opened.close();
});

it("what went wrong in a part of a unit of work is told, also when there is nothing left to go back to", async () => {
  const { database, ring } = opened;
  const failing = unitOfWork(database, ring).run(() =>
    inTransaction(database, async () => {
      await killTransactions();
      throw new Error("the first that went wrong");
    }),
  );
  await expect(failing).rejects.toThrow("the first that went wrong");
});

it("a part that failed is undone though the caller has hung up", async () => {
  const { database, ring } = opened;
  const [patient, caller] = [await opened.store.create(somebody(), new Date()), new AbortController()];
  const deactivate = () =>
    database.$executeRaw`UPDATE patient SET active = false WHERE id = ${BigInt(patient.id ?? "")}`;
  await underSignal(caller.signal, () =>
    unitOfWork(database, ring).run(async () => {
      const part = inTransaction(database, async () => {
        await deactivate();
        caller.abort(new Error("The caller has hung up."));
        throw new Error("the part failed");
      });
      await expect(part).rejects.toThrow("the part failed");
    }),
  );
  expect(await database.$queryRaw`SELECT active FROM patient`).toEqual([{ active: true }]);
});

it("a commit that is under way when the caller hangs up is let through", async () => {
  await onServer(opened.databaseUrl, async (other) => {
    await other.query("SELECT pg_advisory_lock(7)");
    await holdCommits();
    const caller = new AbortController();
    const written = underSignal(caller.signal, () =>
      inTransaction(opened.database, (transaction) => transaction.$executeRaw`INSERT INTO held VALUES (1)`),
    );
    await expect.poll(commitsUnderWay, { interval: 10 }).toBe(1);
    caller.abort(new Error("The caller has hung up."));
    // Time for a cancel request to arrive, if there were one.
    await delay(300);
    await other.query("SELECT pg_advisory_unlock(7)");
    expect(await written).toBe(1);
    expect((await other.query("SELECT * FROM held")).rows).toEqual([{ a: 1 }]);
  });
});

/** Commits of rows in `held` wait for an advisory lock. */
async function holdCommits(): Promise<void> {
  await onServer(opened.databaseUrl, (client) =>
    client.query(`CREATE TABLE held (a int);
      CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock(7); RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER held AFTER INSERT ON held DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION hold()`),
  );
}

async function commitsUnderWay(): Promise<number> {
  return await onServer(opened.databaseUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND wait_event_type = 'Lock' AND query = 'COMMIT'`,
    );
    return rows[0].n;
  });
}

/** Ends the sessions that are in a transaction, as a database does that goes down. */
async function killTransactions(): Promise<void> {
  await onServer(opened.databaseUrl, (client) =>
    client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle in transaction' AND pid <> pg_backend_pid()`),
  );
}
