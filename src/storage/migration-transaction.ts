import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { DEADLOCK_DETECTED, LOCK_NOT_AVAILABLE, sqlState } from "./connection/sql-state.ts";

/** The migrations and their record in the database do not fit together; nothing was applied after that point. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

interface MigrationLog {
  info(message: string): void;
}

// The key that Prisma's own tool locks, so that it and we exclude each other.
const LOCK = 72707369;

/**
 * Whoever asks for a table behind a migration that waits for it waits too, if only to read: so behind a dump of the
 * database, which holds all tables until its end, nobody would be served. Longer than the second after which autovacuum
 * gives way.
 */
const TABLE_WAIT_MS = 2_000;
const AGAIN_MS = 5_000;

/** Runs an action in a transaction while nobody else migrates; anew for as long as others hold what it needs. */
// The lock ends with the transaction, not with the session, so a pooler in between does no harm.
export async function inMigrationTransaction<T>(
  client: pg.Client,
  log: MigrationLog,
  action: () => Promise<T>,
): Promise<T> {
  await client.query("BEGIN");
  try {
    await lock(client, log);
    await client.query(`SET LOCAL lock_timeout = ${TABLE_WAIT_MS}`);
    const result = await untilNotHeldOff(client, log, action);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await rollBack(client);
    throw error;
  }
}

/** In between nothing is held but the lock that keeps other migrating processes from holding up everybody in turn. */
async function untilNotHeldOff<T>(
  client: pg.Client,
  log: MigrationLog,
  action: () => Promise<T>,
): Promise<T> {
  for (;;) {
    await client.query("SAVEPOINT attempt");
    try {
      return await action();
    } catch (error) {
      if (!isHeldOff(error)) throw error;
      await client.query("ROLLBACK TO SAVEPOINT attempt");
      log.info(
        "somebody holds a table that the migration changes, such as a backup that is being made: it is tried again " +
          `in ${AGAIN_MS / 1000} seconds`,
      );
    }
    await delay(AGAIN_MS);
  }
}

async function rollBack(client: pg.Client): Promise<void> {
  try {
    await client.query("ROLLBACK");
  } catch {
    // The connection broke, so the database has rolled back by itself; what came first says why.
  }
}

async function lock(client: pg.Client, log: MigrationLog): Promise<void> {
  const { rows } = await client.query<{ got: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS got", [
    LOCK,
  ]);
  if (rows[0]?.got) return;
  log.info("another process is migrating the database: waiting for it");
  await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
}

function isHeldOff(error: unknown): boolean {
  const state = error instanceof MigrationError ? sqlState(error.cause) : undefined;
  return state === LOCK_NOT_AVAILABLE || state === DEADLOCK_DETECTED;
}
