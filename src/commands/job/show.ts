import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { type Job, JobState } from "#proto/patientindex/v1/job_service_pb.ts";
import { ProgressBar, type Screen } from "../terminal/progress-bar.ts";

const WORDS: Readonly<Record<JobState, string>> = {
  [JobState.UNSPECIFIED]: "unknown",
  [JobState.QUEUED]: "waits",
  [JobState.RUNNING]: "runs",
  [JobState.SUCCEEDED]: "done",
  [JobState.FAILED]: "failed",
  [JobState.CANCELLED]: "cancelled",
  [JobState.STANDING]: "standing",
};

/** Exit codes: 0 done, 1 failed, 2 cancelled, 3 done, but with problems. */
export function exitCodeOf({ state, problems }: Job): number {
  if (state === JobState.FAILED) return 1;
  if (state === JobState.CANCELLED) return 2;
  return state === JobState.SUCCEEDED && problems > 0n ? 3 : 0;
}

/** A job in a line, and below it its latest error. */
export function jobLines(job: Job): string[] {
  const { id, state, done, total, problems, startedBy } = job;
  const steps = total === undefined ? `${done} done` : `${done} of ${total} done`;
  const found = problems > 0n ? `, ${problems} problems` : "";
  const starter = startedBy && `, started by ${startedBy.name || startedBy.role} (${startedBy.organization})`;
  return [
    `${id}  ${WORDS[state]}: ${steps}${found}, since ${instant(job.createdAt)}${starter ?? ""}`,
    ...job.lastError.map(({ code, text, expressions }) => ["   ", code, text, ...expressions].join(" ")),
  ];
}

function instant(at: Timestamp | undefined): string {
  return at ? timestampDate(at).toISOString() : "?";
}

/** Shows a job that is watched: a progress bar on a terminal, elsewhere a line for each change of its state or tenth. */
export class JobDisplay {
  readonly #screen: Screen;
  #bar: { readonly of: ProgressBar; readonly total: bigint } | undefined;
  #state: JobState | undefined;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  show(job: Job): void {
    if (job.state !== this.#state && job.state !== JobState.SUCCEEDED) {
      this.#bar?.of.close();
      this.#screen.write(`${job.id} ${WORDS[job.state]}\n`);
    }
    this.#state = job.state;
    if (job.total !== undefined && job.total > 0n) this.#barOf(job.total, job.done).show(Number(job.done));
    if (job.endedAt) this.#bar?.of.close();
  }

  /** How much there is becomes known, or changes, on the way. */
  #barOf(total: bigint, done: bigint): ProgressBar {
    if (this.#bar?.total !== total) {
      this.#bar = { of: new ProgressBar(Number(total), this.#screen, Number(done)), total };
    }
    return this.#bar.of;
  }
}
