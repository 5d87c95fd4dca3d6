import { publishChanges } from "./changes/publish.ts";
import type { Database } from "./database.ts";

/** A background worker that can be told to stop. */
export interface FeedPublisher {
  /** Resolves when the round that runs has ended and no other will follow. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 1000;

/**
 * Publishes committed changes once a second, so that a reader of the feed finds little to wait for and `_since` is
 * near the time of the write. Any number of processes may do so: the lease lets one at a time.
 */
export function startFeedPublisher(
  database: Database,
  now: () => Date,
  onError: (error: unknown) => void,
): FeedPublisher {
  let round: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const schedule = () => {
    if (!stopped) timer = setTimeout(publish, INTERVAL_MS);
  };
  const publish = () => {
    round = publishChanges(database, now()).catch(onError).finally(schedule);
  };
  schedule();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
