import { readFileSync } from "node:fs";

/** Linux counts in hundredths of a second on every machine that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Processor time that processes have taken so far, in seconds; undefined where the system does not tell. */
export function processorSeconds(pids: readonly number[]): number | undefined {
  if (process.platform !== "linux") return undefined;
  let ticks = 0;
  for (const pid of pids) {
    // The second field, the name, may hold spaces and brackets; user and system time are the 14th and 15th.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS_PER_SECOND;
}
