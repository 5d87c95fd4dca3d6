import type { Logger } from "pino";
import type { AuditTrail } from "../audit/index.ts";
import type { Settings } from "../config.ts";
import {
  guards,
  guardsOfParts,
  type InterceptOptions,
  type Interceptor,
  standardInterceptors,
} from "../grpc/interceptors/index.ts";
import type { Metrics } from "../metrics/index.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { isOutOfReach } from "../storage/index.ts";
import { authenticationOf, checkedAuthors } from "./authentication.ts";
import type { CoreParts } from "./core-parts.ts";

interface ChainOptions {
  readonly settings: Settings;
  readonly log: Logger;
  readonly metrics: Metrics | undefined;
}

/** What stands round every method, of adapters too. */
export function chainOf({ settings, log, metrics }: ChainOptions): InterceptOptions {
  return {
    interceptors: standardInterceptors(log, settings.errorSystems, isOutOfReach, metrics),
    defaultLanguage: settings.defaultLanguage,
  };
}

/** What stands round the core's methods, and round each part of a call that does several things. */
export interface CoreChain extends InterceptOptions {
  readonly ofParts: readonly Interceptor[];
}

interface Guarding {
  readonly sandbox: Sandbox | undefined;
  readonly trail: AuditTrail | undefined;
}

/** Callers, authors and rights are checked in the core, not again by the adapters that it asks. */
export function coreChain(parts: CoreParts, { sandbox, trail }: Guarding): CoreChain {
  const { settings, log, registers, patients } = parts;
  const chain = chainOf(parts);
  const reach = { patients, population: registers.population, now: () => new Date() };
  const guarding = guards({
    ...settings,
    trail,
    authentication: authenticationOf(settings, sandbox, log),
    authors: checkedAuthors(settings, registers.population, log),
    reach,
  });
  const ofParts = guardsOfParts({ reach });
  return { ...chain, interceptors: [...chain.interceptors, ...guarding], ofParts };
}
