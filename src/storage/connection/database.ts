import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "../../../prisma/gen/client.ts";
import { followingTransaction } from "./ambient-transaction.ts";
import { CancellablePool } from "./cancellable-pool.ts";
import type { Database, Transaction } from "./client.ts";
import { directStatements, statementName } from "./direct-statements.ts";
import { SESSION_NAMES } from "./session-names.ts";

export interface DatabaseSettings {
  readonly url: string;
  /** Connections this process may hold. */
  readonly poolSize: number;
  /** Named prepared statements; off for PgBouncer before 1.21. */
  readonly preparedStatements: boolean;
  /** How long a statement that runs for no call in particular waits for its answer; for ever unless given. */
  readonly answerMs?: number;
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  readonly onConnectionError: (error: Error) => void;
}

export type { Database, Transaction };

/**
 * How long a process that serves waits for what it asks for no call in particular: half of what the gateway gives a call,
 * so that those who wait for work that they share are told why.
 */
export const ANSWER_MS = 15_000;

/** Connections of a pool as they are now. */
export interface Connections {
  readonly busy: number;
  readonly idle: number;
  /** Statements and transactions that wait for one. */
  readonly waiting: number;
}

/** Opens a pool; connections are made when they are needed. */
export function openDatabase(settings: DatabaseSettings): Database {
  return openPool(settings).database;
}

/** The same, with what can be seen of its pool. */
export function openPool(settings: DatabaseSettings): {
  readonly database: Database;
  readonly connections: () => Connections;
} {
  const pool = new CancellablePool({
    connectionString: settings.url,
    fallback_application_name: SESSION_NAMES.service,
    max: settings.poolSize,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    ...(settings.answerMs !== undefined && { answerMs: settings.answerMs }),
  });
  pool.on("error", settings.onConnectionError);
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: true,
    ...(settings.preparedStatements && { statementNameGenerator: ({ sql }) => statementName(sql) }),
  });
  const database = followingTransaction(
    new PrismaClient({ adapter }),
    directStatements(pool, settings.preparedStatements),
  );
  const connections = () => ({
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  });
  return { database, connections };
}
