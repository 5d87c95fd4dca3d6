import cluster from "node:cluster";
import type { Logger } from "pino";
import { underSignal } from "../call/current-call.ts";
import { SharedWork } from "../concurrency/shared-work.ts";
import { untilAborted } from "../concurrency/until-aborted.ts";
import type { Settings } from "../config.ts";
import type { Stops } from "../lifecycle/stoppable.ts";
import { type Metrics, observe, openMetrics, startMetricsServer } from "../metrics/index.ts";
import { askDatabase, type Backlog, type Database, type Storage, selectBacklog } from "../storage/index.ts";
import { secondsAhead } from "./clock-watch.ts";
import { tellMetrics } from "./worker-metrics.ts";

interface MeasuringOptions {
  readonly settings: Pick<Settings, "metricsHost" | "metricsPort">;
  readonly log: Logger;
  readonly progress: (step: string) => void;
}

/** A scrape waits no longer for the database. */
const LONGEST_MS = 2_000;

/**
 * The metrics of this process, if the settings ask for them: served here, or told to the process that started this one
 * as one of several, which serves them all.
 */
export async function startMeasuring(options: MeasuringOptions, stops: Stops): Promise<Metrics | undefined> {
  if (options.settings.metricsPort === undefined) return undefined;
  const metrics = openMetrics();
  if (cluster.isWorker) tellMetrics(metrics);
  else await serveMetrics(options, () => metrics.registry.metrics(), stops);
  return metrics;
}

/** Serves metrics where the settings say, if they do. */
export async function serveMetrics(
  { settings: { metricsHost, metricsPort }, log, progress }: MeasuringOptions,
  text: () => Promise<string>,
  stops: Stops,
): Promise<void> {
  if (metricsPort === undefined) return;
  const { url, stop } = await startMetricsServer({ host: metricsHost, port: metricsPort }, text, log);
  stops.push(stop);
  progress(`Metrics are at ${url}`);
}

/** Looks at the database whenever metrics are asked for; what cannot be had is left out, and that it cannot is told. */
export function observeDatabase(metrics: Metrics, { database, connections }: Storage): void {
  observe(metrics, {
    name: "mpi_database_connections",
    help: "Connections of this process to the database by state, and who waits for one.",
    labels: ["state"],
    values: () => Object.entries(connections()).map(([state, count]) => [{ state }, count]),
  });
  const looks = new SharedWork<Seen | undefined>();
  const look = () => looks.do("look", () => lookAt(database));
  observe(metrics, {
    name: "mpi_database_up",
    help: "Whether the database answered within two seconds and takes writes.",
    labels: [],
    values: async () => [[{}, (await look()) ? 1 : 0]],
  });
  observe(metrics, {
    name: "mpi_clock_ahead_seconds",
    help: "By how much the clock of this process is ahead of that of the database; below 0 when it is behind.",
    labels: [],
    values: async () => {
      const seen = await look();
      return seen ? [[{}, seen.secondsAhead]] : [];
    },
  });
  observe(metrics, {
    name: "mpi_outbox_rows",
    help: "What waits to be published or told to others, by kind; the same in every process.",
    labels: ["kind"],
    values: async () => ((await look())?.outbox ?? []).map(({ kind, rows }) => [{ kind }, rows]),
  });
  observe(metrics, {
    name: "mpi_outbox_oldest_seconds",
    help: "How long the first of each kind has waited.",
    labels: ["kind"],
    values: async () =>
      ((await look())?.outbox ?? []).map(({ kind, oldestAt }) => [{ kind }, secondsSince(oldestAt)]),
  });
  observe(metrics, {
    name: "mpi_jobs",
    help: "Background jobs by type and state (docs/jobs.md); the same in every process.",
    labels: ["type", "state"],
    values: async () => ((await look())?.jobs ?? []).map(({ type, state, rows }) => [{ type, state }, rows]),
  });
}

interface Seen extends Backlog {
  readonly secondsAhead: number;
}

async function lookAt(database: Database): Promise<Seen | undefined> {
  try {
    const signal = AbortSignal.timeout(LONGEST_MS);
    const [backlog, ahead] = await underSignal(signal, () =>
      untilAborted(Promise.all([selectBacklog(database), secondsAhead(() => askDatabase(database))])),
    );
    return { ...backlog, secondsAhead: ahead };
  } catch {
    return undefined; // mpi_database_up says it
  }
}

function secondsSince(instant: Date): number {
  return Math.max(0, (Date.now() - instant.getTime()) / 1000);
}
