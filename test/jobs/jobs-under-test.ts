import { defaultErrorSystems } from "../../src/errors/index.ts";
import { type JobLog, type Jobs, type JobWork, jobId, startRunner } from "../../src/jobs/index.ts";
import { type Database, openDatabase } from "../../src/storage/connection/database.ts";
import { jobStore, openJobQueue } from "../../src/storage/index.ts";
import { createTestDatabase, onServer } from "../database.ts";

/** Replicas that run jobs on one database, each with connections and a queue of its own. */
export interface JobsUnderTest {
  readonly url: string;
  /** What nobody expected, as the replicas tell it. */
  readonly troubles: unknown[];
  /** What the log is told of jobs. */
  readonly logged: string[];
  /** A replica that can do these works; `stop` gives back what it runs. */
  replica(works: readonly JobWork[]): Promise<Jobs & { stop(): Promise<void> }>;
  /** A replica that starts, reads and cancels, and runs nothing. */
  idle(works?: readonly JobWork[]): Promise<Jobs & { readonly database: Database }>;
  /** Lets a replica run jobs from now on; answers with how to stop. */
  run(jobs: Jobs): () => Promise<void>;
  /** Ends all replicas and forgets all jobs. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openJobs(): Promise<JobsUnderTest> {
  const { url, drop } = await createTestDatabase();
  const closes: (() => Promise<void>)[] = [];
  const troubles: unknown[] = [];
  const logged: string[] = [];
  const log: JobLog = {
    problem: (job, error) => void logged.push(`${jobId(job)} found ${error.message}`),
    failed: (job, error) => void logged.push(`${jobId(job)} failed: ${error.message}`),
    unsent: (job, error) => void logged.push(`${jobId(job)} was not sent: ${(error as Error).message}`),
    refused: (type, error) => void logged.push(`${type} refused: ${error.message}`),
  };
  const idle = async (works: readonly JobWork[] = []) => {
    const onError = (error: unknown) => troubles.push(error);
    const database = openDatabase({ url, poolSize: 4, preparedStatements: true, onConnectionError: onError });
    const queue = await openJobQueue({ url, onError });
    closes.push(async () => {
      await queue.close();
      await database.$disconnect();
    });
    return {
      database,
      store: jobStore(database),
      queue,
      works: new Map(works.map((work) => [work.type, work])),
      systems: defaultErrorSystems,
      now: () => new Date(),
      log,
      requireFit: async () => undefined,
    };
  };
  const run = (jobs: Jobs) => {
    const stop = startRunner(jobs, (error) => troubles.push(error));
    closes.push(stop);
    return stop;
  };
  const reset = async () => {
    for (const close of closes.splice(0).reverse()) await close();
    troubles.splice(0);
    logged.splice(0);
    await onServer(url, (client) => client.query("DELETE FROM job WHERE n > 0"));
  };
  return {
    url,
    troubles,
    logged,
    idle,
    run,
    async replica(works) {
      const jobs = await idle(works);
      return { ...jobs, stop: run(jobs) };
    },
    reset,
    async close() {
      await reset();
      await drop();
    },
  };
}
