import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { JobSchema, JobState } from "#proto/patientindex/v1/job_service_pb.ts";
import { JobDisplay } from "../../src/commands/job/show.ts";
import { ProgressBar } from "../../src/commands/terminal/progress-bar.ts";

/** More than a bar waits before it is drawn again. */
const LATER_MS = 150;

let text = "";
const write = (more: string) => (text += more);

beforeEach(() => {
  text = "";
  vi.useFakeTimers({ toFake: ["performance"] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** What a terminal shows, line by line. */
function lines(): string[] {
  return text.split("\n").map((line) => line.split("\r").reduce(drawnOver, ""));
}

/** Text that is written at the beginning of a line covers as much of what stood there, and clears the rest if it says so. */
function drawnOver(before: string, drawn: string): string {
  const [shown = "", ...cleared] = drawn.split("\u001b[K");
  return cleared.length > 0 ? shown : shown + before.slice(shown.length);
}

describe("work that turns out to be more than was expected", () => {
  it("is shown as all that there is, by a bar", () => {
    const bar = new ProgressBar(10, { isTTY: true, write });
    for (const done of [5, 10, 12]) {
      bar.show(done);
      vi.advanceTimersByTime(LATER_MS);
    }
    expect(lines()).toEqual([
      expect.stringMatching(/^\[#{30}\] 10 of 10 \(100 %\)/),
      expect.stringMatching(/^\[#{30}\] 12 of 12 \(100 %\)/),
      "",
    ]);
  });

  it("is shown as all that there is, by lines", () => {
    const bar = new ProgressBar(10, { write });
    for (const done of [5, 12, 13]) bar.show(done);
    expect(lines()).toEqual([
      expect.stringMatching(/^5 of 10 \(50 %\)/),
      expect.stringMatching(/^12 of 12 \(100 %\)/),
      "",
    ]);
  });
});

it("a bar whose rate falls leaves nothing of a longer line behind", () => {
  const bar = new ProgressBar(1_000, { isTTY: true, write });
  vi.advanceTimersByTime(1);
  bar.show(100);
  vi.advanceTimersByTime(999);
  bar.show(101);
  expect(lines()).toEqual([expect.stringMatching(/^\[#{3}-{27}\] 101 of 1000 \(10 %\), 101 a second$/)]);
});

describe("a job that is watched on a terminal", () => {
  const ended = timestampFromMs(Date.UTC(2026, 5, 1));
  const job = (state: JobState, done: bigint, endedAt?: typeof ended) =>
    create(JobSchema, { id: "check-index-7", state, done, total: 10n, ...(endedAt && { endedAt }) });

  it("has a line of its own for what becomes of it, below its bar", () => {
    const display = new JobDisplay({ isTTY: true, write });
    display.show(job(JobState.RUNNING, 4n));
    display.show(job(JobState.CANCELLED, 4n, ended));
    expect(lines()).toEqual([
      "check-index-7 runs",
      expect.stringMatching(/^\[#{12}-{18}\] 4 of 10 .* a second$/),
      "check-index-7 cancelled",
      "",
    ]);
  });

  it("has a full bar once, when it is done", () => {
    const display = new JobDisplay({ isTTY: true, write });
    display.show(job(JobState.RUNNING, 10n));
    vi.advanceTimersByTime(LATER_MS);
    display.show(job(JobState.SUCCEEDED, 10n, ended));
    expect(lines()).toEqual(["check-index-7 runs", expect.stringMatching(/^\[#{30}\] 10 of 10 /), ""]);
  });
});
