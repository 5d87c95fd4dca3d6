import type { Logger } from "pino";
import { legalRepresentation } from "../access/index.ts";
import type { AuditTrail } from "../audit/index.ts";
import type { Settings } from "../config.ts";
import {
  FailureLog,
  guards,
  guardsOfParts,
  type InterceptOptions,
  type Interceptor,
  standardInterceptors,
} from "../grpc/interceptors/index.ts";
import type { Metrics } from "../metrics/index.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { isOutOfReach } from "../storage/index.ts";
import type { Tracing } from "../tracing/index.ts";
import { authenticationOf, checkedAuthors } from "./authentication.ts";
import type { CoreParts } from "./core-parts.ts";

interface ChainOptions {
  readonly settings: Settings;
  readonly log: Logger;
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing | undefined;
}

/** What stands round every method, of adapters too. */
export function chainOf(
  { settings, log, metrics, tracing }: ChainOptions,
  failures = new FailureLog(log),
): InterceptOptions {
  return {
    interceptors: standardInterceptors(log, settings.errorSystems, {
      isOutOfReach,
      failures,
      metrics,
      tracing,
    }),
    defaultLanguage: settings.defaultLanguage,
  };
}

/** What stands round the core's methods, and round each part of a call that does several things. */
export interface CoreChain extends InterceptOptions {
  readonly ofParts: readonly Interceptor[];
  /** What stands round methods that anybody may call, as they tell of no patient by themselves. */
  readonly unguarded: InterceptOptions;
  /** Where all of them note what failed. */
  readonly failures: FailureLog;
}

interface Guarding {
  readonly sandbox: Sandbox | undefined;
  readonly trail: AuditTrail | undefined;
}

/** Callers, authors and rights are checked in the core, not again by the adapters that it asks. */
export function coreChain(parts: CoreParts, { sandbox, trail }: Guarding): CoreChain {
  const { settings, log, registers, patients } = parts;
  const failures = new FailureLog(log);
  const unguarded = chainOf(parts, failures);
  const reach = { patients, isLegalRepresentative: legalRepresentation(registers.population, now) };
  const guarding = guards({
    ...settings,
    trail,
    now,
    authentication: authenticationOf(settings, sandbox, log),
    authors: checkedAuthors(settings, registers.population, log),
    reach,
  });
  const ofParts = guardsOfParts({ reach });
  const interceptors = [...unguarded.interceptors, ...guarding];
  return { ...unguarded, interceptors, ofParts, unguarded, failures };
}

function now(): Date {
  return new Date();
}
