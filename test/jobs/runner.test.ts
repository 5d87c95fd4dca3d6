import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { currentSignal } from "../../src/call/current-call.ts";
import { MpiError } from "../../src/errors/index.ts";
import type { JobMessage, JobRun } from "../../src/jobs/index.ts";
import { MESSAGE, StoredJob } from "./stored-job.ts";

/** When a runner looks for jobs, and renews what it holds. */
const BEAT_MS = 1_000;
/** How long a job is held by one who does not renew it. */
const LEASE_MS = 6_000;

/** Work that goes on until its signal aborts, and then ends as if it were done. */
async function heedless({ signal }: JobRun): Promise<void> {
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
}

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

let job: StoredJob;

beforeEach(() => {
  vi.useFakeTimers();
  job = new StoredJob();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("a run", () => {
  it("is renewed while it lasts, and no longer", async () => {
    const done = Promise.withResolvers<void>();
    job.run(() => done.promise);
    await pass(4 * BEAT_MS);
    expect(job.renewals).toBe(3);
    done.resolve();
    await pass(4 * BEAT_MS);
    expect(job.renewals).toBe(3);
    expect(job.told).toEqual([["succeeded", 0], "completed"]);
  });

  it("has its signal around it, by which statements are cancelled", async () => {
    let isSame = false;
    job.run(async ({ signal }) => {
      isSame = currentSignal() === signal;
    });
    await pass(BEAT_MS);
    expect(isSame).toBe(true);
  });

  it("stores each problem once, and ends with why it failed", async () => {
    job.run(async (run) => {
      await run.problem(new MpiError("INDEX_INCONSISTENT"));
      await run.report({ done: 1 });
      await run.report({ done: 2 });
      await run.problem(new MpiError("INDEX_INCONSISTENT"));
      throw new MpiError("SECONDARY_KEY_REQUIRED");
    });
    await pass(BEAT_MS);
    expect(job.told).toEqual([
      ["saved", 1, 1, "INDEX_INCONSISTENT"],
      ["saved", 2, 0],
      ["failed", 1, "SECONDARY_KEY_REQUIRED"],
      "completed",
    ]);
    expect(job.logged).toEqual(["SECONDARY_KEY_REQUIRED"]);
  });

  it("that ends well ends with the problem that nothing was reported after", async () => {
    job.run((run) => run.problem(new MpiError("INDEX_INCONSISTENT")));
    await pass(BEAT_MS);
    expect(job.told).toEqual([["succeeded", 1, "INDEX_INCONSISTENT"], "completed"]);
  });

  it("whose end cannot be stored is told of", async () => {
    const away = new Error("The database is away.");
    job.store.end = () => Promise.reject(away);
    job.run(async () => undefined);
    await pass(BEAT_MS);
    expect(job.troubles).toEqual([away]);
    expect(job.told).toEqual([]);
  });
});

describe("a message", () => {
  it("of work that only others can do is left to them", async () => {
    job.run();
    await pass(BEAT_MS);
    expect(job.told).toEqual(["handed out again"]);
  });

  it.each([
    ["held", []],
    ["over", ["completed"]],
  ] as const)("of a job that is %s begins nothing", async (claimed, told) => {
    job.claimed = claimed;
    const work = vi.fn();
    job.run(work);
    await pass(BEAT_MS);
    expect(work).not.toHaveBeenCalled();
    expect(job.told).toEqual(told);
  });
});

describe("a run that is interrupted", () => {
  it("by who cancels the job stores nothing more of its work, and ends it", async () => {
    const reported = Promise.withResolvers<void>();
    job.run(async (run) => {
      await heedless(run);
      await run.report({ done: 1 }).catch(() => reported.resolve());
    });
    await pass(BEAT_MS);
    job.renewed = async () => "cancelling";
    await pass(BEAT_MS);
    await reported.promise;
    expect(job.told).toEqual([["cancelled", 0], "completed"]);
    await pass(4 * BEAT_MS);
    expect(job.renewals).toBe(1);
  });

  it("by who cancels the job, and then by a stop of the process, is cancelled", async () => {
    const end = Promise.withResolvers<void>();
    const stop = job.run(async (run) => {
      await heedless(run);
      await end.promise;
    });
    await pass(BEAT_MS);
    job.renewed = async () => "cancelling";
    await pass(BEAT_MS);
    const stopped = stop();
    end.resolve();
    await stopped;
    expect(job.told).toEqual([["cancelled", 0], "completed"]);
  });

  it("by a stop of the process is given back, as one that did not fail, before the stop has ended", async () => {
    const stop = job.run(heedless);
    await pass(BEAT_MS);
    await stop();
    expect(job.told).toEqual([["given back", false], "handed out again"]);
    await pass(4 * BEAT_MS);
    expect(job.renewals).toBe(0);
  });

  it.each([
    ["when it reports", true],
    ["when it renews", false],
  ])(
    "because another process has the job by now, as it learns %s, leaves it to that one",
    async (_, reports) => {
      let reason: unknown;
      job.run(async (run) => {
        if (reports) {
          job.isHeld = false;
          await run.report({ done: 1 }).catch((error: unknown) => {
            reason = error;
          });
        } else await heedless(run);
        if (!reports) reason = run.signal.reason;
      });
      if (!reports) job.renewed = async () => "lost";
      await pass(3 * BEAT_MS);
      expect(reason).toMatchObject({ name: "AbortError" });
      expect(job.told).toEqual(reports ? [["saved", 1, 0]] : []);
      expect(job.renewals).toBeLessThanOrEqual(1);
      await pass(4 * BEAT_MS);
      expect(job.renewals).toBeLessThanOrEqual(1);
    },
  );

  it("because it could not be renewed for as long as it is held leaves it, and not before", async () => {
    let isLost = false;
    job.run(async (run) => {
      await heedless(run);
      isLost = true;
    });
    await pass(BEAT_MS);
    job.renewed = () => Promise.reject(new Error("The database is away."));
    await pass(LEASE_MS - BEAT_MS);
    expect(isLost).toBe(false);
    await pass(BEAT_MS);
    expect(isLost).toBe(true);
    expect(job.told).toEqual([]);
  });

  it("and could not be renewed for a moment goes on", async () => {
    let isLost = false;
    job.run(async (run) => {
      await heedless(run);
      isLost = true;
    });
    for (let time = 0; time < 4; time++) {
      job.renewed = () => Promise.reject(new Error("The database is away."));
      await pass(LEASE_MS - 2 * BEAT_MS);
      job.renewed = async () => "held";
      await pass(BEAT_MS);
    }
    expect(isLost).toBe(false);
  });
});

it("a job that others left waiting, or held for too long, is handed out again", async () => {
  job.waiting = [];
  job.unattended = [MESSAGE];
  job.run(async () => undefined);
  await pass(BEAT_MS);
  expect(job.looked).toEqual([[5_000, LEASE_MS]]);
  expect(job.told).toEqual(["handed out again"]);
});

it("a stop waits for the look that is under way, and none follows", async () => {
  const fetched = Promise.withResolvers<JobMessage[]>();
  const fetch = vi.spyOn(job.queue, "fetch").mockReturnValueOnce(fetched.promise);
  const stop = job.run(heedless);
  await pass(BEAT_MS);
  let isStopped = false;
  const stopped = stop().then(() => {
    isStopped = true;
  });
  await pass(BEAT_MS);
  expect(isStopped).toBe(false);
  fetched.resolve([MESSAGE]);
  await stopped;
  expect(job.told).toEqual([["given back", false], "handed out again"]);
  await pass(4 * BEAT_MS);
  expect(fetch).toHaveBeenCalledTimes(1);
  expect(job.looked).toHaveLength(1);
});

describe("a job whose end somebody else has stored meanwhile is no message of ours", () => {
  it("and no failure", async () => {
    job.isHeld = false;
    job.run(async () => {
      throw new MpiError("SECONDARY_KEY_REQUIRED");
    });
    await pass(BEAT_MS);
    expect(job.told).toEqual([["failed", 0, "SECONDARY_KEY_REQUIRED"]]);
    expect(job.logged).toEqual([]);
  });

  it("also when it was cancelled", async () => {
    job.run(heedless);
    await pass(BEAT_MS);
    job.renewed = async () => "cancelling";
    job.isHeld = false;
    await pass(BEAT_MS);
    expect(job.told).toEqual([["cancelled", 0]]);
  });
});
