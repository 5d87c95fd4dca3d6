import type { RequestScenario, Way } from "./scenarios.ts";

/** The least ratio to the yardstick of the same run (issue 9). */
export interface Bar {
  readonly scenario: RequestScenario;
  readonly way: Way;
  readonly ratio: number;
  /** On fewer cores the bar is shown, and not held to. */
  readonly cores: number;
}

const bars: readonly Bar[] = [
  { scenario: "read", way: "one process", ratio: 0.4, cores: 1 },
  { scenario: "search", way: "one process", ratio: 0.35, cores: 1 },
  { scenario: "create", way: "one process", ratio: 0.5, cores: 1 },
  { scenario: "update", way: "one process", ratio: 0.5, cores: 1 },
  { scenario: "read", way: "apart", ratio: 0.3, cores: 4 },
  { scenario: "search", way: "apart", ratio: 0.25, cores: 4 },
  { scenario: "read", way: "gRPC", ratio: 0.35, cores: 4 },
];

/** How many times the median answer the slowest of a hundred may take. */
export const P99_TO_P50 = 4;

/** Patients of about 1.5 kB that one core validates in a second. */
export const VALIDATIONS = 20_000;

export function barOf(scenario: RequestScenario, way: Way): Bar | undefined {
  return bars.find((bar) => bar.scenario === scenario && bar.way === way);
}
