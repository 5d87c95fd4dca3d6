import { GatheredWork } from "../../concurrency/gathered-work.ts";
import type { Database } from "../connection/database.ts";
import { publishChanges } from "./publish.ts";

/** Publishes what is committed when it is called. */
export type Publish = (now: Date) => Promise<void>;

/**
 * Publishes once for all who ask in a turn, or while it is done for others. One publishes at a time, whoever it is: of
 * those who wait for that in this process one alone holds a connection, however long somebody else takes.
 */
export function gatheredPublishing(database: Database): Publish {
  const publishing = new GatheredWork<{ readonly now: Date }, undefined>(async (asked) => {
    await publishChanges(database, new Date(Math.max(...asked.map(({ now }) => now.getTime()))));
    return new Map<{ readonly now: Date }, undefined>();
  });
  return async (now) => {
    await publishing.ask({ now });
  };
}
