import { readdirSync, readFileSync } from "node:fs";

/** Linux counts in hundredths of a second on every machine that Node runs on. */
const TICKS_PER_SECOND = 100;

/** By the number of a thread, in microseconds. */
export type ScheduledByThread = ReadonlyMap<string, number>;

/** Processor time that processes have taken so far, in seconds; undefined where the system does not tell. */
export function processorSeconds(pids: readonly number[]): number | undefined {
  if (process.platform !== "linux") return undefined;
  let ticks = 0;
  for (const pid of pids) {
    const { own } = timesOf(statOf(pid));
    ticks += own;
  }
  return ticks / TICKS_PER_SECOND;
}

/** The same of a process and of all children that it has or had, such as a database server with its sessions. */
export function familySeconds(parent: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const { own, ofEnded } = timesOf(statOf(parent));
  let ticks = own + ofEnded;
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : [];
    if (parentOf(stat) === parent) ticks += timesOf(stat).own;
  }
  return ticks / TICKS_PER_SECOND;
}

/**
 * Processor time that each thread of processes has taken so far, in microseconds, by the scheduler's own count: exact for
 * moments too short for ticks. Undefined where the system does not tell.
 */
export function scheduledByThread(pids: readonly number[]): ScheduledByThread | undefined {
  if (process.platform !== "linux") return undefined;
  const scheduled = new Map<string, number>();
  for (const pid of pids) {
    for (const thread of threadsOf(pid)) {
      const nanoseconds = Number(textOf(`/proc/${pid}/task/${thread}/schedstat`).split(" ")[0]);
      scheduled.set(thread, nanoseconds / 1000);
    }
  }
  return scheduled;
}

/** What threads took between two counts. Of one that ended in between nothing is known, and nothing is counted. */
export function scheduledBetween(before: ScheduledByThread, after: ScheduledByThread): number {
  let microseconds = 0;
  for (const [thread, later] of after) microseconds += later - (before.get(thread) ?? 0);
  return microseconds;
}

export function parentPid(child: number): number {
  return parentOf(statOf(child));
}

/** The fields of a process from the third on: the second, the name, may hold spaces and brackets. None of one that has ended. */
function statOf(pid: number): string[] {
  const text = textOf(`/proc/${pid}/stat`);
  return text === "" ? [] : (text.split(") ").at(-1)?.split(" ") ?? []);
}

function threadsOf(pid: number): string[] {
  return unlessEnded(() => readdirSync(`/proc/${pid}/task`)) ?? [];
}

/** Empty of a process that has ended. */
function textOf(path: string): string {
  return unlessEnded(() => readFileSync(path, "utf8")) ?? "";
}

function unlessEnded<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

function parentOf(stat: readonly string[]): number {
  return Number(stat[1]);
}

/** User and system time together, in ticks. */
function timesOf(stat: readonly string[]): { own: number; ofEnded: number } {
  const [user, system, userOfEnded, systemOfEnded] = stat.slice(11, 15).map(Number);
  return { own: (user ?? 0) + (system ?? 0), ofEnded: (userOfEnded ?? 0) + (systemOfEnded ?? 0) };
}
