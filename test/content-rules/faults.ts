import { type Fault, present } from "../../src/errors/index.ts";

/** The faults as `code expression`, in version 1.5.0: what a client sees first of them. */
export function codes(faults: readonly Fault[]): string[] {
  return faults.map(({ meaning, expression = [] }) =>
    [present(meaning, "1.5.0").wording.code, ...expression].join(" "),
  );
}

/** The setting that rules are given in tests. */
export const setting = { now: new Date("2026-05-01T12:00:00Z"), indexSystem: "https://mpi.tehik.ee" };
