import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { asOwner } from "./connection/as-owner.ts";
import { inMigrationTransaction, MigrationError } from "./migration-transaction.ts";

export interface MigrationOptions {
  /** Holds a folder per migration, named in the order of application, with its `migration.sql`. */
  readonly directory: string;
  readonly log: { info(message: string): void };
}

interface Migration {
  readonly name: string;
  readonly script: string;
}

/** A row of Prisma's table, of a migration that was not rolled back. */
interface Recorded {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

const CREATE_RECORD = `CREATE TABLE "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

/**
 * Brings the database up to the migrations of the directory, as `prisma migrate deploy` does and in the same
 * record. Each is one transaction together with its record, so a failure or a kill leaves it wholly unapplied.
 * Processes that do this at once wait for each other; each migration is applied once. While somebody else holds a table
 * that one changes, it makes way and is tried again.
 * @returns the names of those that this call applied
 * @throws MigrationError when an applied migration was changed, is missing here or is recorded as unfinished,
 * or when a script fails (the database's error is the cause)
 */
export async function applyMigrations(
  databaseUrl: string,
  { directory, log }: MigrationOptions,
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(directory);
  return await asOwner(databaseUrl, async (client) => {
    const applied: string[] = [];
    for (;;) {
      const name = await inMigrationTransaction(client, log, () => applyNext(client, migrations, log));
      if (name === undefined) return { applied };
      applied.push(name);
    }
  });
}

async function readMigrations(directory: string): Promise<readonly Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(names.sort().map((name) => readMigration(directory, name)));
}

async function readMigration(directory: string, name: string): Promise<Migration> {
  try {
    return { name, script: await readFile(join(directory, name, "migration.sql"), "utf8") };
  } catch (cause) {
    throw new MigrationError(`migration ${name} has no readable migration.sql`, { cause });
  }
}

async function applyNext(
  client: pg.Client,
  migrations: readonly Migration[],
  log: MigrationOptions["log"],
): Promise<string | undefined> {
  const recorded = await readRecord(client);
  for (const row of recorded) checkRecorded(row, migrations);
  const done = new Set(recorded.map((row) => row.migration_name));
  const next = migrations.find((migration) => !done.has(migration.name));
  if (next === undefined) return undefined;
  log.info(`applying migration ${next.name}`);
  await apply(client, next);
  return next.name;
}

async function readRecord(client: pg.Client): Promise<readonly Recorded[]> {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS exists`,
  );
  if (!tables[0]?.exists) {
    await createRecord(client);
    return [];
  }
  const { rows } = await client.query<Recorded>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
     FROM "_prisma_migrations" WHERE rolled_back_at IS NULL ORDER BY started_at, migration_name`,
  );
  return rows;
}

async function createRecord(client: pg.Client): Promise<void> {
  try {
    await client.query(CREATE_RECORD);
  } catch (cause) {
    throw new MigrationError(`the database has no tables yet, and none can be made: ${reason(cause)}`, {
      cause,
    });
  }
}

function checkRecorded(
  { migration_name: name, checksum, finished }: Recorded,
  migrations: readonly Migration[],
): void {
  if (!finished) {
    throw new MigrationError(
      `migration ${name} was begun and not finished: repair the database, then set finished_at of its row in ` +
        "_prisma_migrations, or rolled_back_at to have it applied again",
    );
  }
  const migration = migrations.find((candidate) => candidate.name === name);
  if (migration === undefined) {
    throw new MigrationError(
      `migration ${name} is applied to the database but missing here: is this an older version?`,
    );
  }
  if (!checksums(migration.script).includes(checksum)) {
    throw new MigrationError(
      `migration ${name} was changed after it was applied: put a change into a new migration`,
    );
  }
}

async function apply(client: pg.Client, { name, script }: Migration): Promise<void> {
  try {
    await client.query(script);
  } catch (cause) {
    throw new MigrationError(`migration ${name} failed and was rolled back: ${reason(cause)}`, { cause });
  }
  await client.query(
    `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), sha256(script), name],
  );
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

// As Prisma compares them: a checkout may have other line ends than the one that was applied.
function checksums(script: string): readonly string[] {
  const lines = script.replaceAll("\r\n", "\n");
  return [script, lines, lines.replaceAll("\n", "\r\n")].map(sha256);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
