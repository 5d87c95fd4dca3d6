import { type Logger, pino } from "pino";
import { currentSpan, currentTrace, underSpan } from "../call/current-call.ts";
import type { Settings } from "../config.ts";
import { LogDestination } from "../lifecycle/log-destination.ts";
import type { Stops } from "../lifecycle/stoppable.ts";
import { openTracing, type Tracing } from "../tracing/index.ts";

interface TracingOptions {
  readonly settings: Pick<Settings, "tracesEndpoint" | "tracesSample">;
  readonly log: Logger;
}

/** Tells of the work of this process in traces, if the settings ask for it; until everything else has stopped. */
export async function startTracing(
  { settings, log }: TracingOptions,
  service: string,
  stops: Stops,
): Promise<Tracing | undefined> {
  const tracing = await openTracing(settings, service, log);
  if (tracing) stops.push(() => tracing.stop());
  return tracing;
}

/** The log of a process: its lines say which trace they belong to, where traces are told. */
export function openLog({ logLevel, tracesEndpoint }: Pick<Settings, "logLevel" | "tracesEndpoint">): Logger {
  const mixin = tracesEndpoint !== undefined && { mixin: currentTrace };
  return pino({ level: logLevel, ...mixin }, new LogDestination());
}

/** Work that no request asked for as a trace of its own, or as a part of the one that it is done in. */
export type TraceWork = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export function tracingWork(tracing: Tracing | undefined): TraceWork {
  if (!tracing) return (_name, work) => work();
  return (name, work) =>
    underSpan(currentSpan()?.child(name, "internal") ?? tracing.begin(name, "internal", {}), work);
}
