import PgBoss from "pg-boss";
import type { JobKey, JobMessage, JobQueue } from "../../jobs/index.ts";
import { failureOfStart } from "../../lifecycle/stoppable.ts";
import { ANSWER_MS } from "../connection/database.ts";
import { SESSION_NAMES } from "../connection/session-names.ts";
import { DEADLOCK_DETECTED } from "../connection/sql-state.ts";

export interface JobQueueSettings {
  readonly url: string;
  /** Called when maintenance of the queue fails; it is tried again. */
  readonly onError: (error: unknown) => void;
}

/** The schema of the library's own tables, which it makes and migrates itself. */
export const JOB_QUEUE_SCHEMA = "job_queue";
const QUEUE = "jobs";
const BATCH = 10;
/** A server that is gone without a word is not waited for: connections that it keeps waiting are thrown away. */
const CONNECTION_LIMITS = { max: 2, connectionTimeoutMillis: 10_000, query_timeout: ANSWER_MS } as const;
const ATTEMPTS = 5;
/** A message is given back by whoever has it, or taken from the dead; how often is no matter. */
const RETRIES = 1_000_000;
/** The longest that the library allows before it hands a message out again; leases of jobs are what counts. */
const EXPIRES_S = 23 * 3600;

/**
 * The queue of jobs on pg-boss: it polls and takes messages by row locks, so it needs no session state and works
 * through PgBouncer. Makes its tables when they are not there.
 */
export async function openJobQueue({ url, onError }: JobQueueSettings): Promise<JobQueue> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: SESSION_NAMES.jobQueue,
    ...CONNECTION_LIMITS,
    schema: JOB_QUEUE_SCHEMA,
    schedule: false,
  });
  boss.on("error", onError);
  await boss.start();
  const close = () => boss.stop({ graceful: false });
  try {
    await makeQueue(boss);
  } catch (cause) {
    // Its timers would keep a process that did not start.
    throw await failureOfStart(cause, [close]);
  }
  const send = async ({ id, key }: JobMessage) => {
    await boss.send(QUEUE, { ...key }, { id });
  };
  return {
    send,
    async fetch() {
      const messages = await boss.fetch<JobKey>(QUEUE, { batchSize: BATCH });
      return messages.map(({ id, data: { type, n } }) => ({ id, key: { type, n } }));
    },
    async complete({ id }) {
      await boss.complete(QUEUE, id);
    },
    async handOutAgain(message) {
      // Nothing happens when it is there.
      await send(message);
      await boss.fail(QUEUE, message.id);
    },
    close,
  };
}

/** Of processes that make it at once one is the victim of a deadlock, and finds it made when it tries again. */
async function makeQueue(boss: PgBoss): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await boss.createQueue(QUEUE, {
        name: QUEUE,
        retryLimit: RETRIES,
        retryDelay: 0,
        expireInSeconds: EXPIRES_S,
      });
      return;
    } catch (cause) {
      if (attempt === ATTEMPTS || (cause as { code?: unknown }).code !== DEADLOCK_DETECTED) throw cause;
    }
  }
}
