import { setTimeout as delay } from "node:timers/promises";
import { onServer } from "../../on-server.ts";
import { median } from "../figures/median.ts";
import type { Generator } from "../load/generator.ts";
import { scheduledBetween, scheduledByThread } from "../servers/processor-time.ts";
import type { Cell, Place } from "./dimension.ts";

export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
}

/** What an operation at one size costs, in microseconds: one value of each round. */
export interface Costs {
  readonly cell: Cell;
  readonly costs: readonly number[];
}

/** One request after the other: what is counted is processor time, and a second one in flight would share it. */
const CONCURRENCY = 1;

/** What the service does beside requests, in microseconds a second. */
type Idle = ReadonlyMap<number, number>;

/** Measures all in turn, in many short rounds, after one that is not counted. */
export async function measure(
  place: Place,
  generator: Generator,
  cells: readonly Cell[],
  { rounds, seconds }: Rounds,
): Promise<Costs[]> {
  const costs = new Map<Cell, number[]>(cells.map((cell) => [cell, []]));
  for (const cell of cells) await generator.define(nameOf(cell), cell.job);
  for (let round = 0; round <= rounds; round++) {
    const idle = await idleOf(place, cells, seconds);
    for (const cell of cells) {
      const cost = await costOf(place, generator, cell, seconds, idle.get(cell.pid) ?? 0);
      if (round > 0) costs.get(cell)?.push(cost);
    }
  }
  return [...costs].map(([cell, ofCell]) => ({ cell, costs: ofCell }));
}

/** Of one against the other, by the rounds that were beside each other. */
export function ratioOf(one: Costs, other: Costs): number {
  return median(one.costs.map((cost, round) => cost / (other.costs[round] ?? Number.NaN)));
}

/**
 * Processor time of the service and of its database sessions for one request, or for all that are sent in turn; the time that it takes where the system
 * does not tell.
 */
async function costOf(
  place: Place,
  generator: Generator,
  cell: Cell,
  seconds: number,
  idle: number,
): Promise<number> {
  const { value: run, taken } = await taking(place, cell.pid, () =>
    generator.run(nameOf(cell), { concurrency: CONCURRENCY, seconds }),
  );
  const all = taken === undefined ? run.seconds * 1e6 : taken - idle * run.seconds;
  return all / (run.operations / cell.job.requests.length);
}

/** Of each service that is asked. */
async function idleOf(place: Place, cells: readonly Cell[], seconds: number): Promise<Idle> {
  const idle = new Map<number, number>();
  for (const pid of new Set(cells.map((cell) => cell.pid))) {
    const { taken } = await taking(place, pid, () => delay(seconds * 1000));
    idle.set(pid, (taken ?? 0) / seconds);
  }
  return idle;
}

/** What some work gives, and the processor time that a service and its database sessions took meanwhile. */
async function taking<Value>(
  { database }: Place,
  pid: number,
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly taken: number | undefined }> {
  return await onServer(database.url, async (server) => {
    const soFar = async () => {
      const { rows } = await server.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      );
      return scheduledByThread([pid, ...rows.map((row) => row.pid)]);
    };
    const before = await soFar();
    const value = await work();
    const after = await soFar();
    return { value, taken: before && after && scheduledBetween(before, after) };
  });
}

function nameOf({ operation, size }: Cell): string {
  return `${operation}, ${size}`;
}
