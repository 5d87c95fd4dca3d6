import type { Logger } from "pino";
import type { Tracing } from "./tracing.ts";

/** What every process is told of traces: docs/configuration.md. */
interface TracesSettings {
  readonly tracesEndpoint: string | undefined;
  readonly tracesSample: number;
}

/** Begins to tell, if the settings ask for it. Only then is the SDK of OpenTelemetry loaded. */
export async function openTracing(
  { tracesEndpoint: endpoint, tracesSample: sample }: TracesSettings,
  service: string,
  log: Pick<Logger, "warn">,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const { SdkTracing } = await import("./sdk-tracing.ts");
  return new SdkTracing({ endpoint, sample, service, log });
}
