import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** In seconds: from a look-up in memory to the longest that a call may take. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * What a process measures of itself, for Prometheus. Labels are names of our own (routes, methods, codes, registers),
 * never something that came with a request: who is asked about must not be found here, and series stay few.
 */
export interface Metrics {
  readonly registry: Registry;
  readonly httpRequests: Histogram<"method" | "route" | "status">;
  readonly calls: Histogram<"service" | "method" | "status">;
  readonly refusals: Counter<"reason">;
  readonly registerQuestions: Histogram<"register" | "service" | "outcome">;
  readonly registerCircuits: Gauge<"register">;
}

/** Metrics of this process, among them those of Node itself. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    httpRequests: new Histogram({
      name: "mpi_http_request_seconds",
      help: "Time from the head of a request to the end of its answer, by route and status.",
      labelNames: ["method", "route", "status"],
      buckets: BUCKETS,
      registers,
    }),
    calls: new Histogram({
      name: "mpi_call_seconds",
      help: "Time of a call of the core, by gRPC or by the gateway of its process; of a stream until its end.",
      labelNames: ["service", "method", "status"],
      buckets: BUCKETS,
      registers,
    }),
    refusals: new Counter({
      name: "mpi_refusals_total",
      help: "Calls of the core that were refused, and patients refused in calls with several, by reason (docs/errors.md).",
      labelNames: ["reason"],
      registers,
    }),
    registerQuestions: new Histogram({
      name: "mpi_register_question_seconds",
      help: "Time of a question to a state register with its repetitions, by what came of it: answered, refused, unreachable, late, garbage.",
      labelNames: ["register", "service", "outcome"],
      buckets: BUCKETS,
      registers,
    }),
    registerCircuits: new Gauge({
      name: "mpi_register_circuit_open",
      help: "1 while a register is not asked because it did not answer several times in a row.",
      labelNames: ["register"],
      registers,
    }),
  };
}

/** What is looked at when somebody asks: its values by their labels. */
export interface Observed<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly Label[];
  /** Values as they are now; none when they cannot be had. */
  readonly values: () => Promise<readonly Value<Label>[]> | readonly Value<Label>[];
}

export type Value<Label extends string> = readonly [labels: Readonly<Record<Label, string>>, value: number];

/** Adds a gauge that is read when somebody asks. */
export function observe<Label extends string>(
  { registry }: Metrics,
  { name, help, labels, values }: Observed<Label>,
): void {
  new Gauge<Label>({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    async collect() {
      const now = await values();
      this.reset();
      for (const [labelled, value] of now) this.set(labelled, value);
    },
  });
}

/** What one of several processes measures, as it goes from process to process. */
export type Measured = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** What several processes measure, in the text format of Prometheus. Their series stay apart by a label of each. */
export async function together(measured: readonly Measured[]): Promise<string> {
  return await AggregatorRegistry.aggregate([...measured]).metrics();
}
