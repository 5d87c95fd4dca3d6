import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { applyMigrations } from "../../src/storage/migrations.ts";
import { createEmptyDatabase, onServer, type TestDatabase } from "../database.ts";

const FIRST = "20260101000000_first";
const SECOND = "20260201000000_second";
const THIRD = "20260301000000_third";

let database: TestDatabase;
let directory: string;

beforeEach(async () => {
  database = await createEmptyDatabase();
  directory = await mkdtemp(join(tmpdir(), "migrations-"));
  await migration(SECOND, "ALTER TABLE one ADD b int;\nCREATE INDEX ON one (b);");
  await migration(FIRST, "CREATE TABLE one (a int);\nINSERT INTO one VALUES (1);");
});

afterEach(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});

describe("migrations", () => {
  test("are applied in the order of their names, and recorded as Prisma records them", async () => {
    expect(await apply()).toEqual({ applied: [FIRST, SECOND] });

    expect(await query("SELECT * FROM one")).toEqual([{ a: 1, b: null }]);
    expect(await query(`SELECT * FROM "_prisma_migrations" ORDER BY migration_name LIMIT 1`)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        checksum: createHash("sha256")
          .update("CREATE TABLE one (a int);\nINSERT INTO one VALUES (1);")
          .digest("hex"),
        migration_name: FIRST,
        started_at: expect.any(Date),
        finished_at: expect.any(Date),
        rolled_back_at: null,
        logs: null,
        applied_steps_count: 1,
      },
    ]);
  });

  test("are applied once, and later ones on top", async () => {
    await apply();
    expect(await apply()).toEqual({ applied: [] });

    await migration(THIRD, "CREATE TABLE three ()");
    expect(await apply()).toEqual({ applied: [THIRD] });
  });

  test("are applied once by many at once", async () => {
    const results = await Promise.all(Array.from({ length: 8 }, apply));

    expect(results.flatMap((result) => result.applied).sort()).toEqual([FIRST, SECOND]);
    expect(await query("SELECT count(*)::int n FROM one")).toEqual([{ n: 1 }]);
  });

  test("tell what went wrong, also when the connection broke and nothing can be rolled back", async () => {
    await migration(THIRD, "SELECT pg_terminate_backend(pg_backend_pid())");
    await expect(apply()).rejects.toThrow(`migration ${THIRD} failed`);
  });

  test("wait, and say so, while Prisma's lock is held", async () => {
    const info = vi.fn();
    await onServer(database.url, async (other) => {
      await other.query("SELECT pg_advisory_lock(72707369)");
      const applying = applyMigrations(database.url, { directory, log: { info } });
      await expect.poll(() => info).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("waiting"));
      await other.query("SELECT pg_advisory_unlock(72707369)");

      expect(await applying).toEqual({ applied: [FIRST, SECOND] });
    });
  });

  test("make way while somebody holds a table that they change, and are tried again, by one process alone", async () => {
    await apply();
    await migration(THIRD, "ALTER TABLE one ADD c int");
    const info = vi.fn();
    await onServer(database.url, async (dump) => {
      await dump.query("BEGIN; SELECT * FROM one");
      const applying = applyMigrations(database.url, { directory, log: { info } });
      await expect.poll(() => info).toHaveBeenCalledWith(expect.stringContaining("it is tried again"));
      const ofSecond = vi.fn();
      const second = applyMigrations(database.url, { directory, log: { info: ofSecond } });
      await query("SET statement_timeout = 30000; INSERT INTO one VALUES (2)");
      await dump.query("COMMIT");

      expect(await applying).toEqual({ applied: [THIRD] });
      expect(await second).toEqual({ applied: [] });
      expect(ofSecond).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("waiting for it"));
      expect(await query("SELECT a, c FROM one ORDER BY a")).toEqual([
        { a: 1, c: null },
        { a: 2, c: null },
      ]);
    });
  });

  test("are applied again when Prisma's record says that they were rolled back", async () => {
    await apply();
    await query(`UPDATE "_prisma_migrations" SET rolled_back_at = now(), finished_at = NULL`);
    await query("DROP TABLE one");

    expect(await apply()).toEqual({ applied: [FIRST, SECOND] });
  });

  test("count as unchanged under other line ends", async () => {
    await apply();
    await migration(FIRST, "CREATE TABLE one (a int);\r\nINSERT INTO one VALUES (1);");

    expect(await apply()).toEqual({ applied: [] });
  });
});

describe("a migration is refused", () => {
  test("and leaves nothing behind, when its script fails; corrected, it is applied", async () => {
    await migration(THIRD, "CREATE TABLE three (); SELECT 1 / 0;");

    await expect(apply()).rejects.toThrow(`migration ${THIRD} failed and was rolled back: division by zero`);

    expect(await query("SELECT to_regclass('three') AS three")).toEqual([{ three: null }]);
    await migration(THIRD, "CREATE TABLE three ()");
    expect(await apply()).toEqual({ applied: [THIRD] });
  });

  test("when it was changed after it was applied", async () => {
    await apply();
    await migration(FIRST, "CREATE TABLE one (a bigint);");
    await migration(THIRD, "CREATE TABLE three ()");

    await expect(apply()).rejects.toThrow(`migration ${FIRST} was changed after it was applied`);
    expect(await query("SELECT to_regclass('three') AS three")).toEqual([{ three: null }]);
  });

  test("when it is applied but missing here", async () => {
    await apply();
    await rm(join(directory, SECOND), { recursive: true });

    await expect(apply()).rejects.toThrow(`migration ${SECOND} is applied to the database but missing here`);
  });

  test("when another tool has left it unfinished", async () => {
    await apply();
    await query(`UPDATE "_prisma_migrations" SET finished_at = NULL WHERE migration_name = '${SECOND}'`);

    await expect(apply()).rejects.toThrow(`migration ${SECOND} was begun and not finished`);
  });

  test("when the database has no tables yet, and none can be made", async () => {
    const url = `${database.url}?options=${encodeURIComponent("-c default_transaction_read_only=on")}`;

    await expect(applyMigrations(url, { directory, log: { info: () => undefined } })).rejects.toThrow(
      "the database has no tables yet, and none can be made: cannot execute CREATE TABLE",
    );
  });

  test("when it has no script", async () => {
    await mkdir(join(directory, THIRD));

    await expect(apply()).rejects.toThrow(`migration ${THIRD} has no readable migration.sql`);
  });
});

function apply(): Promise<{ applied: string[] }> {
  return applyMigrations(database.url, { directory, log: { info: () => undefined } });
}

async function migration(name: string, script: string): Promise<void> {
  await mkdir(join(directory, name), { recursive: true });
  await writeFile(join(directory, name, "migration.sql"), script);
}

function query(text: string): Promise<readonly unknown[]> {
  return onServer(database.url, async (client) => (await client.query(text)).rows);
}
