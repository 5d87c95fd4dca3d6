import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { fault, MpiError } from "../../src/errors/index.ts";
import { cancelJob, type JobWork, jobId, listJobs, readJob, startJob } from "../../src/jobs/index.ts";
import { type JobsUnderTest, openJobs } from "./jobs-under-test.ts";
import { endless, SOON, started, stateOf, work } from "./works.ts";

let opened: JobsUnderTest;

beforeAll(async () => {
  opened = await openJobs();
});

afterEach(() => opened.reset());

afterAll(() => opened.close());

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

  it("is started though the queue does not take its message, which runners send again", async () => {
    let runs = 0;
    const jobs = await opened.idle([work(async () => void runs++)]);
    const away = async () => Promise.reject(new Error("The queue is away."));
    const { job, isNew } = await startJob({ ...jobs, queue: { ...jobs.queue, send: away } }, "check-index");
    expect([jobId(job), job.state, isNew]).toEqual(["check-index-1", "queued", true]);
    expect(opened.logged).toEqual(["check-index-1 was not sent: The queue is away."]);
    opened.run(jobs);
    await expect.poll(stateOf(jobs, "check-index-1"), { ...SOON, timeout: 20_000 }).toBe("succeeded");
    expect(runs).toBe(1);
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
    expect(opened.logged).toEqual(["check-index refused: SECONDARY_KEY_REQUIRED"]);
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
