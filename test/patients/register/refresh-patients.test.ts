import { expect, it } from "vitest";
import type { JobProgress } from "../../../src/jobs/ports.ts";
import { type RefreshingPatients, refreshPatients } from "../../../src/patients/register/refresh-patients.ts";

/** Patients of whom the register is asked nothing, of whom so many more come while the job runs. */
function growing(count: number, more: number): RefreshingPatients {
  const ids = Array.from({ length: count + more }, (_, at) => BigInt(at + 1));
  const store = { read: async () => undefined };
  return {
    intake: { store } as unknown as RefreshingPatients["intake"],
    patients: {
      count: async () => count,
      after: async (id, limit) => ids.filter((one) => one > id).slice(0, limit),
    },
    rate: 1_000,
  };
}

it("patients who come while all are refreshed are more to be done, and never more than all", async () => {
  const reported: JobProgress[] = [];
  await refreshPatients(growing(10, 25), {
    signal: new AbortController().signal,
    checkpoint: undefined,
    report: async (progress) => void reported.push(progress),
    problem: async () => undefined,
  });
  expect(reported.map(({ done, total }) => [done, total])).toEqual([
    [0, 10],
    [10, 10],
    [20, 20],
    [30, 30],
    [35, 35],
  ]);
});
