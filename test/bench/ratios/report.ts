import { availableParallelism, cpus, totalmem } from "node:os";
import { aligned } from "../figures/aligned.ts";
import type { BenchDatabase } from "../servers/database.ts";
import type { Validation } from "../validation/validation.ts";
import { barOf, P99_TO_P50, VALIDATIONS } from "./bars.ts";
import type { Options } from "./options.ts";
import type { Figures } from "./rounds.ts";

/** All of a run. */
export interface Report {
  readonly machine: Machine;
  readonly load: Pick<Options, "patients" | "auditEntries" | "concurrency" | "seconds" | "rounds">;
  readonly figures: readonly Figures[];
  readonly validation?: Validation;
}

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
}

export function machineOf({ version }: BenchDatabase): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    postgres: version,
  };
}

/** The figures as lines for a terminal. */
export function table({ figures, validation }: Pick<Report, "figures" | "validation">): string {
  const head = ["", "way", "ops/s", "p50 ms", "p99 ms", "ratio", "bar", "server µs/op", "generator"];
  const rows = figures.map((one, place) => [
    figures[place - 1]?.scenario === one.scenario ? "" : one.scenario,
    one.way,
    one.operationsPerSecond.toFixed(0),
    one.p50.toFixed(2),
    one.p99.toFixed(2),
    one.ratio.toFixed(2),
    barOf(one.scenario, one.way)?.ratio.toFixed(2) ?? "",
    one.processorMicroseconds?.toFixed(0) ?? "",
    `${(one.generatorLoad * 100).toFixed(0)} %`,
  ]);
  const lines = rows.length > 0 ? aligned([head, ...rows], 2) : [];
  return [...lines, ...(validation ? [validationLine(validation)] : [])].join("\n");
}

function validationLine({
  bytes,
  perSecond,
  microseconds: { decode, structure, rules },
}: Validation): string {
  return (
    `validation of a patient of ${bytes} bytes: ${perSecond.toFixed(0)} a second on one core (bar ${VALIDATIONS}); ` +
    `decode ${decode.toFixed(1)} µs, structure ${structure.toFixed(1)} µs, rules ${rules.toFixed(1)} µs`
  );
}

/** What misses its bar, in words. */
export function missed({ figures, validation, machine }: Report): string[] {
  return [
    ...figures.flatMap((one) => missedBy(one, machine.cores)),
    ...(validation && validation.perSecond < VALIDATIONS
      ? [`validation: ${validation.perSecond.toFixed(0)} a second, the bar is ${VALIDATIONS}`]
      : []),
  ];
}

function missedBy({ scenario, way, ratio, p50, p99 }: Figures, cores: number): string[] {
  const said: string[] = [];
  const bar = barOf(scenario, way);
  if (bar && cores >= bar.cores && ratio < bar.ratio) {
    said.push(
      `${scenario}, ${way}: ${ratio.toFixed(2)} of the yardstick, the bar is ${bar.ratio.toFixed(2)}`,
    );
  }
  if (bar && cores >= bar.cores && p99 > P99_TO_P50 * p50) {
    said.push(`${scenario}, ${way}: p99 is ${(p99 / p50).toFixed(1)} times p50, the bar is ${P99_TO_P50}`);
  }
  return said;
}
