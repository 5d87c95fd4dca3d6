import cluster, { type Worker } from "node:cluster";
import { type Measured, type Metrics, together } from "../metrics/index.ts";

/** What a worker is asked; its answer has the same number. */
interface Question {
  readonly metricsAsked: number;
}

interface Answer {
  readonly metricsTold: number;
  readonly measured: Measured;
}

/** A worker that is too busy to answer is left out. */
const LONGEST_MS = 3_000;

/** Tells the process that started this one as one of several what is measured, whenever it asks. */
export function tellMetrics({ registry }: Metrics): void {
  registry.setDefaultLabels({ worker: String(cluster.worker?.id) });
  process.on("message", ({ metricsAsked }: Partial<Question>) => {
    if (metricsAsked === undefined) return;
    void registry
      .getMetricsAsJSON()
      .then((measured) => process.send?.({ metricsTold: metricsAsked, measured } satisfies Answer));
  });
}

/** What these workers measure, in the text format of Prometheus, each with a label of its own. */
export async function metricsOf(workers: readonly Worker[]): Promise<string> {
  const told = await Promise.all(workers.map(measuredBy));
  return await together(told.filter((measured) => measured !== undefined));
}

let questions = 0;

function measuredBy(worker: Worker): Promise<Measured | undefined> {
  questions += 1;
  const metricsAsked = questions;
  return new Promise((resolve) => {
    const settle = (measured: Measured | undefined) => {
      clearTimeout(timer);
      worker.off("message", onMessage);
      worker.off("exit", onExit);
      resolve(measured);
    };
    const onMessage = (message: Partial<Answer>) => {
      if (message.metricsTold === metricsAsked) settle(message.measured);
    };
    const onExit = () => settle(undefined);
    const timer = setTimeout(settle, LONGEST_MS, undefined);
    worker.on("message", onMessage);
    worker.on("exit", onExit);
    if (worker.isConnected()) worker.send({ metricsAsked } satisfies Question);
    else settle(undefined);
  });
}
