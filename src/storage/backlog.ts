import type { Database } from "./connection/database.ts";

/** What waits to be done by some process, whichever it is. */
export interface Backlog {
  /** Rows of the outbox by their kind: changes to be published, what others are still to be told. */
  readonly outbox: readonly { readonly kind: string; readonly rows: number; readonly oldestAt: Date }[];
  /** Jobs by type and state. */
  readonly jobs: readonly { readonly type: string; readonly state: string; readonly rows: number }[];
}

/** What waits now. */
export async function selectBacklog(database: Database): Promise<Backlog> {
  const [outbox, jobs] = await Promise.all([
    database.$queryRaw<Backlog["outbox"]>`
      SELECT kind, count(*)::int AS rows, min(at) AS "oldestAt" FROM outbox GROUP BY kind`,
    database.$queryRaw<Backlog["jobs"]>`
      SELECT type, state, count(*)::int AS rows FROM job GROUP BY type, state`,
  ]);
  return { outbox, jobs };
}
