import { apartSettings } from "./apart-settings.ts";
import { errorSystemSettings } from "./error-system-settings.ts";
import type { Environment } from "./read-settings.ts";
import { serviceSettings } from "./service-settings.ts";

/** Those that are read elsewhere: by a command, by tests and benchmarks. */
const OTHER_NAMES = [
  "MPI_TOKEN",
  "MPI_BENCH_DATABASE_URL",
  "MPI_TEST_DATABASE_URL",
  "MPI_TEST_TIER",
  "MPI_ROTATION_PATIENTS",
  "MPI_FUZZ_REQUESTS",
  "MPI_FUZZ_SEED",
];

const knownNames: ReadonlySet<string> = new Set([
  ...[...Object.values(serviceSettings), ...Object.values(apartSettings)].map(({ name }) => name),
  ...errorSystemSettings.map(([, { name }]) => name),
  ...OTHER_NAMES,
]);

/** Names in the environment that begin as settings do and are none of any program of ours: misspelt, most likely. */
export function unknownSettings(environment: Environment): string[] {
  return Object.keys(environment).filter((name) => name.startsWith("MPI_") && !knownNames.has(name));
}

/** Tells of such names, if there are any. */
export function tellUnknownSettings(
  environment: Environment,
  tell: (unknown: readonly string[], words: string) => void,
): void {
  const unknown = unknownSettings(environment);
  if (unknown.length > 0) tell(unknown, "nobody reads these settings: are they misspelt?");
}
