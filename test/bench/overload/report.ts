import { aligned } from "../figures/aligned.ts";
import type { Answers } from "../load/job.ts";
import type { Found } from "./acknowledged.ts";
import type { Overloaded } from "./measure.ts";

/** Under load beyond capacity so much of it has to be served still. */
const LEAST_THROUGHPUT = 0.8;
/** A refusal has to come within so many milliseconds, all but the slowest of a hundred. */
const QUICK_MS = 1000;
const RECOVERED_MS = 2000;
const REFUSALS: ReadonlySet<number> = new Set([429, 503]);

/** The overloads as a table, with what became of what was acknowledged. */
export function report(all: readonly Overloaded[], found: Found): string {
  const head = [
    "",
    "capacity/s",
    "offered/s",
    "sent/s",
    "served/s",
    "to capacity",
    "p50 ms",
    "back after ms",
  ];
  const rows = all.map((one) => [
    one.scenario,
    one.capacity.toFixed(0),
    (one.outcome.offered / one.outcome.seconds).toFixed(0),
    ((one.outcome.offered - one.outcome.unsent) / one.outcome.seconds).toFixed(0),
    served(one).toFixed(0),
    (served(one) / one.capacity).toFixed(2),
    one.p50.toFixed(1),
    one.recoveredMs?.toFixed(0) ?? "never",
  ]);
  const answersHead = ["", "status", "answers", "p50 ms", "p99 ms", "no Retry-After"];
  const answers = all.flatMap(({ scenario, outcome }) =>
    outcome.answers.map((one) => [scenario, ...answerRow(one)]),
  );
  const costs = all.map(
    ({ scenario, processorMicroseconds, outcome }) =>
      `${scenario}: ${processorMicroseconds?.toFixed(0) ?? "?"} µs of the service's processor time a request; ` +
      `${outcome.unsent} found no connection free; generator ${(outcome.generatorLoad * 100).toFixed(0)} %`,
  );
  return [
    ...aligned([head, ...rows], 1),
    "",
    ...aligned([answersHead, ...answers], 2),
    "",
    ...costs,
    `${found.acknowledged} creates were acknowledged: ${found.stored} are stored, ` +
      `${found.answered} of ${found.asked} asked for are answered`,
  ].join("\n");
}

function answerRow({ status, count, p50, p99, withoutRetryAfter }: Answers): string[] {
  return [
    status === 0 ? "broken" : String(status),
    String(count),
    p50.toFixed(1),
    p99.toFixed(1),
    REFUSALS.has(status) ? String(withoutRetryAfter) : "",
  ];
}

/** What does not hold of what has to, in words. */
export function missed(
  all: readonly Overloaded[],
  { acknowledged, stored, asked, answered }: Found,
): string[] {
  const lost = acknowledged - stored + asked - answered;
  return [...all.flatMap(missedBy), ...(lost > 0 ? [`${lost} acknowledged creates are not found`] : [])];
}

function missedBy(one: Overloaded): string[] {
  const { scenario, capacity, outcome, recoveredMs } = one;
  const said: string[] = [];
  if (served(one) < LEAST_THROUGHPUT * capacity) {
    said.push(
      `${(served(one) / capacity).toFixed(2)} of the capacity is served; the bar is ${LEAST_THROUGHPUT}`,
    );
  }
  for (const { status, count, p99, withoutRetryAfter } of outcome.answers) {
    if (isServed(status)) continue;
    if (!REFUSALS.has(status))
      said.push(`${count} answers are ${status === 0 ? "broken connections" : status}`);
    else if (withoutRetryAfter > 0) said.push(`${withoutRetryAfter} refusals have no Retry-After`);
    if (p99 > QUICK_MS) said.push(`p99 of ${status} is ${p99.toFixed(0)} ms; the bar is ${QUICK_MS}`);
  }
  if (recoveredMs === undefined || recoveredMs > RECOVERED_MS) {
    said.push(`answers are not as before within ${RECOVERED_MS} ms`);
  }
  return said.map((line) => `${scenario}: ${line}`);
}

function served({ outcome }: Overloaded): number {
  const good = outcome.answers.filter(({ status }) => isServed(status));
  return good.reduce((sum, { count }) => sum + count, 0) / outcome.seconds;
}

function isServed(status: number): boolean {
  return status >= 200 && status < 300;
}
