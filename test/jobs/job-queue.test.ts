import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openJobQueue } from "../../src/storage/index.ts";
import { JOB_QUEUE_SCHEMA } from "../../src/storage/jobs/job-queue.ts";
import { createEmptyDatabase, onServer, type TestDatabase } from "../database.ts";

const run = promisify(execFile);

let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
});

afterAll(() => database.drop());

/** A process that opens the queue, says why it cannot, and has nothing else to do. */
const opening = `
  import { openJobQueue } from ${JSON.stringify(import.meta.resolve("../../src/storage/index.ts"))};
  openJobQueue({ url: process.env.URL, onError: () => undefined }).catch((error) => console.log(error.message));`;

it("a process whose queue cannot be made ends by itself", async () => {
  const { url } = database;
  await (await openJobQueue({ url, onError: () => undefined })).close();
  await onServer(url, (client) => client.query(`DROP FUNCTION ${JOB_QUEUE_SCHEMA}.create_queue(text, json)`));
  const ended = run(process.execPath, ["--input-type=module", "--eval", opening], {
    env: { ...process.env, URL: url },
    timeout: 60_000,
  });
  expect((await ended).stdout).toContain("create_queue");
});
