// The thread that makes rows, but that it dies of a load of nobody.

import { parentPort } from "node:worker_threads";
import "../../../../src/storage/patients/loading/rows/thread.ts";
import type { Opening } from "../../../../src/storage/patients/loading/rows/questions.ts";

parentPort?.on("message", ({ patients }: Opening) => {
  if (patients.length === 0) throw new RangeError("Out of order.");
});
