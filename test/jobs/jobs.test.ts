import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { fault, MpiError } from "../../src/errors/index.ts";
import {
  cancelJob,
  type Job,
  type JobRun,
  type Jobs,
  type JobType,
  type JobWork,
  jobId,
  listJobs,
  readJob,
  startJob,
  watchJob,
} from "../../src/jobs/index.ts";
import { jobStore } from "../../src/storage/index.ts";
import { onServer } from "../database.ts";
import { interrupted } from "../storage/interrupted.ts";
import { type JobsUnderTest, openJobs } from "./jobs-under-test.ts";

const SOON = { timeout: 15_000, interval: 50 };
let opened: JobsUnderTest;

beforeAll(async () => {
  opened = await openJobs();
});

afterEach(() => opened.reset());

afterAll(() => opened.close());

function work(run: (run: JobRun) => Promise<void>, type: JobType = "check-index"): JobWork {
  return { type, run };
}

/** Work that goes on until it is interrupted. */
async function endless({ signal }: JobRun): Promise<void> {
  await delay(60_000, undefined, { signal });
}

function stateOf(jobs: Jobs, id: string) {
  return async () => (await readJob(jobs, id)).state;
}

async function started(jobs: Jobs, type: JobType = "check-index"): Promise<string> {
  return jobId((await startJob(jobs, type)).job);
}

describe("a job", () => {
  it("waits, runs, and has done what its work reports", async () => {
    const jobs = await opened.replica([
      work(async (run) => {
        await run.problem(new MpiError("INDEX_DECRYPTION_FAILED"));
        const where = { expression: ["Patient.where(id = '7')"] };
        await run.problem(
          MpiError.of([fault("INDEX_INCONSISTENT", {}, where), fault("INDEX_DECRYPTION_FAILED")]),
        );
        await run.report({ done: 7, total: 9 });
        await run.report({ done: 9 });
      }),
    ]);
    const { job, isNew } = await startJob(jobs, "check-index");
    expect({ ...job, isNew }).toMatchObject({
      type: "check-index",
      n: 1,
      state: "queued",
      done: 0,
      isNew: true,
    });
    await expect.poll(stateOf(jobs, "check-index-1"), SOON).toBe("succeeded");
    const ended = await readJob(jobs, "check-index-1");
    expect(ended).toMatchObject({
      done: 9,
      total: 9,
      problems: 2,
      lastError: {
        issues: [
          { meaning: "INDEX_INCONSISTENT", parameters: {}, expression: ["Patient.where(id = '7')"] },
          { meaning: "INDEX_DECRYPTION_FAILED", parameters: {} },
        ],
      },
    });
    expect(opened.logged).toEqual([
      "check-index-1 found INDEX_DECRYPTION_FAILED",
      "check-index-1 found INDEX_INCONSISTENT, INDEX_DECRYPTION_FAILED",
    ]);
    const { createdAt, beganAt, endedAt } = ended;
    expect([createdAt, beganAt, endedAt]).toEqual([createdAt, beganAt, endedAt].toSorted());
  });

  it("fails by what its work refuses, kept without values", async () => {
    const jobs = await opened.replica([
      work(async () => {
        throw MpiError.of([
          fault("PERSON_ABSENT_FROM_RR"),
          { system: "https://xroad-rr.tehik.ee", code: "XRR300", text: "Isik 38001085718 puudub" },
          { system: "RR", code: "99", text: "38001085718 ?" },
        ]);
      }),
    ]);
    const id = await started(jobs);
    await expect.poll(stateOf(jobs, id), SOON).toBe("failed");
    const { lastError } = await readJob(jobs, id);
    expect(lastError?.issues).toEqual([
      { meaning: "PERSON_ABSENT_FROM_RR", parameters: {} },
      { meaning: "XROAD_RR_PERSON_OR_ACCOUNT_INVALID", parameters: {} },
      { system: "RR", code: "99", text: "" },
    ]);
    expect(opened.logged).toEqual([
      `${id} failed: PERSON_ABSENT_FROM_RR, https://xroad-rr.tehik.ee XRR300, RR 99`,
    ]);
  });

  it("is tried again when something unexpected ends it, and fails when that goes on", async () => {
    const checkpoints: unknown[] = [];
    const jobs = await opened.replica([
      work(async (run) => {
        checkpoints.push(run.checkpoint);
        await run.report({
          done: 1,
          ...(checkpoints.length < 3 && { checkpoint: `c${checkpoints.length}` }),
        });
        throw new TypeError("Nobody expected this.");
      }),
    ]);
    const id = await started(jobs);
    await expect.poll(stateOf(jobs, id), SOON).toBe("failed");
    expect(checkpoints).toEqual([undefined, "c1", "c2", "c2"]);
    expect((await readJob(jobs, id)).lastError?.issues).toMatchObject([{ meaning: "INTERNAL_ERROR" }]);
    expect(opened.troubles).toHaveLength(4);
  });

  it("is not started beside another one of its type", async () => {
    const jobs = await opened.replica([work(endless)]);
    const id = await started(jobs);
    const others = await Promise.all([1, 2, 3].map(() => startJob(jobs, "check-index")));
    expect(others.map(({ job, isNew }) => [jobId(job), isNew])).toEqual(Array(3).fill([id, false]));
    await cancelJob(jobs, id);
    await expect.poll(stateOf(jobs, id), SOON).toBe("cancelled");
    expect(await started(jobs)).toBe("check-index-2");
  });

  it("of an unknown type is MPI-100, and of one that this build cannot do is not accepted", async () => {
    const jobs = await opened.idle();
    await expect(startJob(jobs, "dance")).rejects.toThrow("JOB_TYPE_UNKNOWN");
    await expect(startJob(jobs, "check-index")).rejects.toThrow("NOT_IMPLEMENTED");
    await expect(listJobs(jobs, { type: "dance", pageSize: 0, pageToken: "" })).rejects.toThrow(
      "JOB_TYPE_UNKNOWN",
    );
  });

  it("is refused when its work says so, and nothing is stored", async () => {
    const refused: JobWork = {
      ...work(endless),
      mayStart: () => Promise.reject(new MpiError("SECONDARY_KEY_REQUIRED")),
    };
    const jobs = await opened.idle([refused]);
    await expect(startJob(jobs, "check-index")).rejects.toThrow("SECONDARY_KEY_REQUIRED");
    await expect(readJob(jobs, "check-index-1")).rejects.toThrow("JOB_NOT_FOUND");
  });

  it("has an id that says of which type it is, and the how-manieth", async () => {
    const jobs = await opened.idle();
    for (const id of ["", "check-index-0", "check-index-01", "check-index-9", "dance-1", "check-index"]) {
      await expect(readJob(jobs, id)).rejects.toThrow("JOB_NOT_FOUND");
      await expect(cancelJob(jobs, `${id}x`)).rejects.toThrow("JOB_NOT_FOUND");
    }
  });
});

describe("a job that is cancelled", () => {
  it("never runs when it has waited", async () => {
    const idle = await opened.idle([work(endless)]);
    const id = await started(idle);
    expect(await cancelJob(idle, id)).toMatchObject({ state: "cancelled", isCancelling: true });
    let runs = 0;
    await opened.replica([work(async () => void runs++), work(async () => void runs++, "purge-cache")]);
    const next = await started(await opened.idle([work(endless, "purge-cache")]), "purge-cache");
    await expect.poll(stateOf(idle, next), SOON).toBe("succeeded");
    expect(runs).toBe(1);
    expect(await readJob(idle, id)).toMatchObject({ state: "cancelled", beganAt: undefined });
  });

  it("stops soon when it runs, and stays as it is afterwards", async () => {
    const jobs = await opened.replica([work(endless)]);
    const id = await started(jobs);
    await expect.poll(stateOf(jobs, id), SOON).toBe("running");
    const elsewhere = await opened.idle();
    expect(await cancelJob(elsewhere, id)).toMatchObject({ state: "running", isCancelling: true });
    await expect.poll(stateOf(jobs, id), SOON).toBe("cancelled");
    const ended = await readJob(jobs, id);
    expect(await cancelJob(elsewhere, id)).toEqual(ended);
    expect(opened.troubles).toEqual([]);
  });
});

describe("with several replicas", () => {
  it("each of many jobs runs once", async () => {
    const runs: string[] = [];
    const works = (replica: string) =>
      (["check-index", "purge-cache", "scan-duplicates"] as const).map((type) =>
        work(async () => void runs.push(`${type} on ${replica}`), type),
      );
    const [a] = await Promise.all([opened.replica(works("a")), opened.replica(works("b"))]);
    for (let round = 1; round <= 3; round++) {
      const ids = await Promise.all([
        started(a, "check-index"),
        started(a, "purge-cache"),
        started(a, "scan-duplicates"),
      ]);
      for (const id of ids) await expect.poll(stateOf(a, id), SOON).toBe("succeeded");
      expect(runs).toHaveLength(3 * round);
    }
  });

  it("another one goes on from the checkpoint when one stops", async () => {
    const first = await opened.replica([
      work(async (run) => {
        await run.problem(new MpiError("INDEX_INCONSISTENT"));
        await run.report({ done: 5, total: 10, checkpoint: "half" });
        await endless(run);
      }),
    ]);
    const id = await started(first);
    await expect.poll(async () => (await readJob(first, id)).done, SOON).toBe(5);
    await first.stop();
    expect(await readJob(first, id)).toMatchObject({ state: "queued", done: 5 });
    const checkpoints: unknown[] = [];
    const second = await opened.replica([
      work(async (run) => {
        checkpoints.push(run.checkpoint);
        await run.report({ done: 10 });
      }),
    ]);
    await expect.poll(stateOf(second, id), SOON).toBe("succeeded");
    expect(checkpoints).toEqual(["half"]);
    expect(await readJob(second, id)).toMatchObject({ done: 10, total: 10, problems: 1 });
  });

  it("a job that lost its message is found, and handed out once", async () => {
    let runs = 0;
    const works = [work(async () => void runs++)];
    const idle = await opened.idle(works);
    const forgetful = { ...idle, queue: { ...idle.queue, send: async () => undefined } };
    const id = await started(forgetful);
    await Promise.all([opened.replica(works), opened.replica(works)]);
    await expect.poll(stateOf(idle, id), SOON).toBe("succeeded");
    expect(runs).toBe(1);
  });

  it("a job that is given back just when another one finds it held is run", async () => {
    const jobs = await opened.idle([work(async () => undefined)]);
    const id = await started(jobs);
    const key = { type: "check-index", n: 1 } as const;
    await jobs.store.claim(key, { holder: "first", now: new Date(), milliseconds: 60_000 });
    const giveBack = () => jobs.store.giveBack(key, "first", false, new Date());
    const { claim } = jobStore(interrupted(jobs.database, 1, giveBack));
    opened.run({ ...jobs, store: { ...jobs.store, claim } });
    await expect.poll(stateOf(jobs, id), SOON).toBe("succeeded");
  });

  it("one that was taken a job from while it stalled stops working on it", async () => {
    const interrupted = Promise.withResolvers<unknown>();
    const jobs = await opened.replica([
      work(async (run) => {
        run.signal.addEventListener("abort", () => interrupted.resolve(run.signal.reason));
        await endless(run);
      }),
    ]);
    const id = await started(jobs);
    await expect.poll(stateOf(jobs, id), SOON).toBe("running");
    await onServer(opened.url, (client) =>
      client.query(
        "UPDATE job SET holder = 'another', held_until = held_until + interval '1 hour' WHERE n > 0",
      ),
    );
    await expect(interrupted.promise).resolves.toMatchObject({ name: "AbortError" });
    expect(await readJob(jobs, id)).toMatchObject({ state: "running", endedAt: undefined });
    expect(opened.troubles).toEqual([]);
  });

  it("a database that throws out everybody ends no job", async () => {
    const jobs = await opened.replica([
      work(async (run) => {
        for (let done = Number(run.checkpoint ?? 0) + 1; done <= 20; done++) {
          await delay(100, undefined, { signal: run.signal });
          await run.report({ done, total: 20, checkpoint: String(done) });
        }
      }),
    ]);
    const id = await started(jobs);
    await expect.poll(async () => (await readJob(jobs, id)).done, SOON).toBeGreaterThan(3);
    await onServer(opened.url, (client) =>
      client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`),
    );
    const state = () => stateOf(jobs, id)().catch(() => "away");
    await expect.poll(state, SOON).toBe("succeeded");
    expect(await readJob(jobs, id)).toMatchObject({ done: 20, problems: 0 });
  });

  it("one that has lost a job to another does not write on it", async () => {
    const jobs = await opened.idle([work(endless)]);
    const { message } = await jobs.store.start("check-index", undefined, new Date());
    const at = (milliseconds: number) => new Date(Date.now() + milliseconds);
    const lease = (holder: string, now: Date) => ({ holder, now, milliseconds: 1000 });
    expect(await jobs.store.claim(message.key, lease("a", at(0)))).toEqual({
      checkpoint: undefined,
      attempts: 0,
    });
    expect(await jobs.store.claim(message.key, lease("b", at(500)))).toBe("held");
    expect(await jobs.store.claim(message.key, lease("b", at(1500)))).toEqual({
      checkpoint: undefined,
      attempts: 0,
    });
    expect(await jobs.store.renew(message.key, lease("a", at(1600)))).toBe("lost");
    const nothing = { problems: 0, lastError: undefined };
    expect(await jobs.store.save(message.key, "a", { done: 3, ...nothing }, at(1600))).toBe(false);
    expect(await jobs.store.end(message.key, "a", { state: "failed", ...nothing }, at(1600))).toBe(false);
    expect(await readJob(jobs, "check-index-1")).toMatchObject({ state: "running", done: 0 });
    expect(await jobs.store.end(message.key, "b", { state: "succeeded", ...nothing }, at(1600))).toBe(true);
    expect(await jobs.store.claim(message.key, lease("c", at(9000)))).toBe("over");
  });
});

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
