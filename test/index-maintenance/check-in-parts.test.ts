import { expect, it } from "vitest";
import { MpiError } from "../../src/errors/index.ts";
import { checkIndex } from "../../src/index-maintenance/index.ts";
import type { BlindRow, IndexExamination } from "../../src/index-maintenance/ports.ts";
import type { JobProgress } from "../../src/jobs/ports.ts";

const ROW = {} as BlindRow;

/** An index of so many patients and rows, what is looked at in it, and what is told of that. */
class Examined implements IndexExamination {
  readonly looks: string[] = [];
  readonly reported: JobProgress[] = [];
  problems = 0;
  /** After which report the run is interrupted. */
  interruptedAfter = Number.POSITIVE_INFINITY;
  readonly #patients: number;
  readonly #rows: number;

  constructor(patients: number, rows: number) {
    this.#patients = patients;
    this.#rows = rows;
  }

  size = async () => ({ patients: this.#patients, rows: this.#rows });

  patientsAfter = async (patientId: bigint, limit: number) => {
    const patients = Math.min(limit, this.#patients - Number(patientId));
    if (patients === 0) return undefined;
    this.looks.push(`patients after ${patientId}`);
    return { lastPatient: patientId + BigInt(patients), patients, suspects: [patientId + 1n] };
  };

  examinePatient = async () => [new MpiError("INDEX_INCONSISTENT")];

  examineShared = async () => {
    this.looks.push("shared");
    return [new MpiError("INDEX_INCONSISTENT")];
  };

  strayRows = async (part: number, parts: number) => {
    this.looks.push(`part ${part} of ${parts}`);
    return [ROW];
  };

  examineRow = async () => [new MpiError("INDEX_INCONSISTENT")];

  async check(checkpoint?: string): Promise<void> {
    const interruption = new AbortController();
    await checkIndex(this).run({
      signal: interruption.signal,
      checkpoint,
      report: async (progress) => {
        this.reported.push(progress);
        if (this.reported.length === this.interruptedAfter) interruption.abort(new Error("interrupted"));
      },
      problem: async () => void this.problems++,
    });
  }

  get progress() {
    return this.reported.map(({ done, total }) => [done, total]);
  }
}

it("all patients and all parts of the blind index are looked at, once", async () => {
  const index = new Examined(150, 1_200);
  await index.check();
  expect(index.looks).toEqual([
    "shared",
    "patients after 0",
    "patients after 100",
    "part 0 of 3",
    "part 1 of 3",
    "part 2 of 3",
  ]);
  expect(index.problems).toBe(1 + 2 + 3);
  expect(index.progress).toEqual([100, 150, 150, 550, 950, 1_350].map((done) => [done, 1_350]));
});

it.each([1, 2, 3, 4, 5])(
  "a check that was interrupted after %d reports goes on where it was",
  async (after) => {
    const [whole, first, second] = [1, 2, 3].map(() => new Examined(150, 1_200)) as [
      Examined,
      Examined,
      Examined,
    ];
    await whole.check();
    first.interruptedAfter = after;
    await expect(first.check()).rejects.toThrow("interrupted");
    await second.check(first.reported.at(-1)?.checkpoint);
    expect([...first.looks, ...second.looks]).toEqual(whole.looks);
    expect([...first.progress, ...second.progress]).toEqual(whole.progress);
  },
);

it("of an index without anything what lies with no patient is looked at, and whether there is a row", async () => {
  const index = new Examined(0, 0);
  await index.check();
  expect(index.looks).toEqual(["shared", "part 0 of 1"]);
  expect(index.progress.at(-1)).toEqual([0, 0]);
});
