import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { cancelJob, type Job, jobId, listJobs, watchJob } from "../../src/jobs/index.ts";
import { type JobsUnderTest, openJobs } from "./jobs-under-test.ts";
import { endless, started, work } from "./works.ts";

let opened: JobsUnderTest;

beforeAll(async () => {
  opened = await openJobs();
});

afterEach(() => opened.reset());

afterAll(() => opened.close());

describe("who watches a job", () => {
  it("sees it at once, each change, and its end", async () => {
    const steps = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const jobs = await opened.replica([
      work(async (run) => {
        for (const [done, step] of steps.entries()) {
          await step.promise;
          await run.report({ done: done + 1, total: 2 });
        }
      }),
    ]);
    const id = await started(jobs);
    const seen: Job[] = [];
    for await (const job of watchJob(jobs, id, new AbortController().signal)) {
      seen.push(job);
      if (job.state === "running") steps[job.done]?.resolve();
    }
    const [first] = seen;
    expect(first).toMatchObject({ state: expect.stringMatching(/queued|running/), done: 0 });
    expect(seen.map(({ done }) => done).filter((done, at, all) => done !== all[at - 1])).toEqual([0, 1, 2]);
    expect(seen.at(-1)).toMatchObject({ state: "succeeded", done: 2 });
  });

  it("is told when the process stops before the job does", async () => {
    const jobs = await opened.idle([work(endless)]);
    const stopping = new AbortController();
    const watching = watchJob(jobs, await started(jobs), stopping.signal);
    expect((await watching.next()).value).toMatchObject({ state: "queued" });
    const next = watching.next();
    stopping.abort();
    await expect(next).rejects.toThrow("SERVICE_STOPPING");
  });
});

describe("the list of jobs", () => {
  it("has standing work first, then the latest, in pages, and the latest hundred of a type", async () => {
    const jobs = await opened.idle([work(endless)]);
    for (let n = 1; n <= 103; n++) {
      const id = await started(jobs);
      await cancelJob(jobs, id);
    }
    const ids: string[] = [];
    for (let pageToken = ""; ; ) {
      const page = await listJobs(jobs, { type: "", pageSize: 40, pageToken });
      ids.push(...page.jobs.map(jobId));
      pageToken = page.nextPageToken;
      if (pageToken === "") break;
    }
    expect(ids).toHaveLength(102);
    expect(ids.slice(0, 4)).toEqual([
      "deliver-notifications",
      "purge-cache",
      "check-index-103",
      "check-index-102",
    ]);
    const ofType = await listJobs(jobs, { type: "purge-cache", pageSize: 0, pageToken: "" });
    expect(ofType.jobs.map(({ state }) => state)).toEqual(["standing"]);
    await expect(cancelJob(jobs, "purge-cache")).rejects.toThrow("JOB_STANDING");
  });
});
