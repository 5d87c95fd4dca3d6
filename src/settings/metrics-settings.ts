import { optional, port, setting, text } from "./setting.ts";

/** Settings of every process that measures itself. */
export const metricsSettings = {
  metricsHost: setting(
    "MPI_METRICS_HOST",
    text,
    "127.0.0.1",
    "Address that metrics are asked for at; whoever reaches it may read them.",
  ),
  metricsPort: setting(
    "MPI_METRICS_PORT",
    optional(port),
    undefined,
    "Port of `/metrics` for Prometheus (docs/metrics.md); 0 takes a free one.",
    "none: nothing is measured",
  ),
} as const;
