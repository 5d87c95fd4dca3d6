import { defineConfig } from "vitest/config";

const everything = process.env["MPI_TEST_TIER"] === "long";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: everything ? [] : ["test/**/*.long.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Vitest's last line names test files and tests apart; CI reads one plain line of counts.
    reporters: ["default", "./test/count-reporter.ts"],
  },
});
