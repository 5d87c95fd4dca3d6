import { defineConfig } from "vitest/config";

// `vitest run` is the short tier; `--mode long` adds what takes minutes.
export default defineConfig(({ mode }) => ({
  test: {
    include: ["test/**/*.test.ts"],
    env: {
      // Property tests run more often in the long tier.
      MPI_TEST_TIER: mode === "long" ? "long" : "short",
      // Programs that tests start are compiled once.
      NODE_COMPILE_CACHE: `${import.meta.dirname}/.cache/tests`,
    },
    exclude: mode === "long" ? [] : ["test/**/*.long.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    pool: "forks",
    // To load all modules anew for every file takes nearly half of the short tier. The long one does, and so shows what
    // would hold only after another file.
    isolate: mode === "long",
    // Of two cores: many tests wait, for programs that start, for time to pass. Of the long ones some take a core each.
    maxWorkers: mode === "long" ? 3 : 4,
    // A machine may be several times slower than ours, or stand still for a while: no limit is one of speed.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ["default", "./test/count-reporter.ts"],
  },
}));
