import { collectorUrl, optional, setting, share } from "./setting.ts";

/** Settings of every process that tells of its work in traces. */
export const tracesSettings = {
  tracesEndpoint: setting(
    "MPI_TRACES_ENDPOINT",
    optional(collectorUrl),
    undefined,
    "Collector that traces are sent to (docs/tracing.md), by OTLP over HTTP: `http://collector:4318`, which means its `/v1/traces`, or a URL with a path.",
    "none: nothing is traced",
  ),
  tracesSample: setting(
    "MPI_TRACES_SAMPLE",
    share,
    1,
    "Share of the requests whose trace is told, from 0 to 1; of those that come with a `traceparent` that says itself.",
  ),
} as const;
