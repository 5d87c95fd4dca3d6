import { median } from "../figures/median.ts";
import type { Generator } from "../load/generator.ts";
import { cellsAt } from "./cells.ts";
import { type Dimension, limitOf, type Place } from "./dimension.ts";
import { type Costs, measure, type Rounds, ratioOf } from "./measure.ts";
import { addAlike } from "./patients.ts";

/** How an operation grows with a dimension. */
export interface Growth {
  readonly dimension: string;
  readonly operation: string;
  /** At the smallest size. */
  readonly microseconds: number;
  readonly sizes: readonly Grown[];
}

export interface Grown {
  readonly size: number;
  /** To the smallest size. */
  readonly ratio: number;
  readonly limit: number;
}

const REFERENCE = "reference";

export async function growthsOf(
  place: Place,
  generator: Generator,
  dimension: Dimension,
  sizes: readonly number[],
  rounds: Rounds,
): Promise<Growth[]> {
  const costs = dimension.isOneAfterTheOther
    ? await measureOneByOne(place, generator, dimension, sizes, rounds)
    : await measure(place, generator, await dimension.prepare(place, sizes), rounds);
  const byOperation = Map.groupBy(costs, ({ cell }) => cell.operation);
  return [...byOperation].map(([operation, ofOperation]) => growthOf(dimension, operation, ofOperation));
}

/** Each size with a read of a patient beside it, which stands for the speed of the machine at that time. */
async function measureOneByOne(
  place: Place,
  generator: Generator,
  dimension: Dimension,
  sizes: readonly number[],
  rounds: Rounds,
): Promise<Costs[]> {
  const [id = ""] = await addAlike(place.service, 1);
  const measured: Costs[] = [];
  let usual: number | undefined;
  for (const size of sizes) {
    const reference = cellsAt(place.service, size)(REFERENCE, ["GET", `Patient/${id}`]);
    const cells = await dimension.prepare(place, [size]);
    const [beside, ...others] = await measure(place, generator, [reference, ...cells], rounds);
    const speeds = beside?.costs ?? [];
    usual ??= median(speeds);
    for (const { cell, costs } of others) {
      measured.push({
        cell,
        costs: costs.map((cost, round) => (cost / (speeds[round] ?? Number.NaN)) * (usual ?? 1)),
      });
    }
  }
  return measured;
}

function growthOf(dimension: Dimension, operation: string, costs: readonly Costs[]): Growth {
  const bar = dimension.bars[operation];
  const [smallest] = costs;
  if (!bar || !smallest) throw new Error(`${dimension.name} has no bar for ${operation}.`);
  return {
    dimension: dimension.name,
    operation,
    microseconds: median(smallest.costs),
    sizes: costs.map((one) => ({
      size: one.cell.size,
      ratio: ratioOf(one, smallest),
      limit: limitOf(bar, one.cell.size, smallest.cell.size),
    })),
  };
}
