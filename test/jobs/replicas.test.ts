import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { MpiError } from "../../src/errors/index.ts";
import { readJob } from "../../src/jobs/index.ts";
import { jobStore } from "../../src/storage/index.ts";
import { onServer } from "../database.ts";
import { interrupted } from "../storage/interrupted.ts";
import { type JobsUnderTest, openJobs } from "./jobs-under-test.ts";
import { endless, SOON, started, stateOf, work } from "./works.ts";

let opened: JobsUnderTest;

beforeAll(async () => {
  opened = await openJobs();
});

afterEach(() => opened.reset());

afterAll(() => opened.close());

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

  it("a job is left to another one by a process that lacks the keys of the database", async () => {
    const ran: string[] = [];
    const unfit = await opened.idle([work(async () => void ran.push("unfit"))]);
    opened.run({
      ...unfit,
      requireFit: async () => {
        throw new Error("The keys are missing.");
      },
    });
    const id = await started(unfit);
    await expect.poll(() => opened.troubles.length, SOON).toBeGreaterThan(1);
    expect((await readJob(unfit, id)).state).toBe("queued");
    const fit = await opened.replica([work(async () => void ran.push("fit"))]);
    await expect.poll(stateOf(fit, id), SOON).toBe("succeeded");
    expect(ran).toEqual(["fit"]);
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
        "UPDATE job SET holder = 'another', held_until = held_until + interval '30 seconds' WHERE n > 0",
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

  it("a job whose process died with its clock an hour ahead is another one's all the same", async () => {
    const jobs = await opened.idle([work(endless)]);
    const { message } = await jobs.store.start("check-index", undefined, new Date());
    const lease = (holder: string, now: Date) => ({ holder, now, milliseconds: 200 });
    await jobs.store.claim(message.key, lease("ahead", new Date(Date.now() + 3_600_000)));
    const next = () => jobs.store.claim(message.key, lease("next", new Date()));
    await expect.poll(next, SOON).toMatchObject({ attempts: 0 });
  });

  it("a job of before the database's clock was set back by a day is run all the same", async () => {
    let runs = 0;
    const works = [work(async () => void runs++)];
    const jobs = await opened.idle(works);
    const id = await started(jobs);
    const key = { type: "check-index", n: 1 } as const;
    await jobs.store.claim(key, { holder: "killed", now: new Date(), milliseconds: 6_000 });
    await jobs.database.$executeRaw`UPDATE job SET held_until = held_until + interval '1 day' WHERE n > 0`;
    opened.run(jobs);
    await expect.poll(stateOf(jobs, id), SOON).toBe("succeeded");
    expect(runs).toBe(1);
  });

  it("so is one that waits, with a message of before", async () => {
    const jobs = await opened.idle([work(async () => undefined)]);
    const id = await started(jobs);
    await jobs.database.$executeRaw`UPDATE job SET changed_at = changed_at + interval '1 day' WHERE n > 0`;
    await jobs.database.$executeRaw`
      UPDATE job_queue.job SET start_after = start_after + interval '1 day', created_on = created_on + interval '1 day'`;
    opened.run(jobs);
    await expect.poll(stateOf(jobs, id), SOON).toBe("succeeded");
  });

  it("one that has lost a job to another does not write on it", async () => {
    const jobs = await opened.idle([work(endless)]);
    const { message } = await jobs.store.start("check-index", undefined, new Date());
    const now = new Date();
    const lease = (holder: string) => ({ holder, now, milliseconds: 60_000 });
    const begun = { checkpoint: undefined, attempts: 0 };
    expect(await jobs.store.claim(message.key, lease("a"))).toEqual(begun);
    expect(await jobs.store.claim(message.key, lease("b"))).toBe("held");
    await jobs.database.$executeRaw`UPDATE job SET held_until = held_until - interval '1 minute'`;
    expect(await jobs.store.claim(message.key, lease("b"))).toEqual(begun);
    expect(await jobs.store.renew(message.key, lease("a"))).toBe("lost");
    const nothing = { problems: 0, lastError: undefined };
    expect(await jobs.store.save(message.key, "a", { done: 3, ...nothing }, now)).toBe(false);
    expect(await jobs.store.end(message.key, "a", { state: "failed", ...nothing }, now)).toBe(false);
    expect(await readJob(jobs, "check-index-1")).toMatchObject({ state: "running", done: 0 });
    expect(await jobs.store.end(message.key, "b", { state: "succeeded", ...nothing }, now)).toBe(true);
    expect(await jobs.store.claim(message.key, lease("c"))).toBe("over");
  });
});
