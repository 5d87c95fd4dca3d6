import type { Tracing, TracingOptions } from "./tracing.ts";

/** Begins to tell. Only then is the SDK of OpenTelemetry loaded. */
export async function openTracing(options: TracingOptions): Promise<Tracing> {
  const { SdkTracing } = await import("./sdk-tracing.ts");
  return new SdkTracing(options);
}
