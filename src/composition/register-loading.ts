import type { Logger } from "pino";
import { SharedWork } from "../call/shared-work.ts";
import type { Settings } from "../config.ts";
import { causesOf } from "../errors/index.ts";
import type { KeyRing } from "../identifier-index/index.ts";
import { linkSuccessor, type SuccessionLinking } from "../linkage/index.ts";
import type { PatientStore, RegisterLoading } from "../patients/index.ts";
import type { Registers } from "../registers/ports.ts";
import { type Database, linkStore } from "../storage/index.ts";
import { tellingOf } from "./background-work.ts";

interface LoadingOptions {
  readonly settings: Pick<Settings, "errorSystems" | "wmMode">;
  readonly log: Logger;
}

/** How patients are taken from the population register, and records of old personal codes linked to their successors. */
export function registerLoading(
  { settings, log }: LoadingOptions,
  database: Database,
  keys: KeyRing,
  store: PatientStore,
  { population, linkage }: Registers,
): RegisterLoading {
  const linking: SuccessionLinking = {
    links: linkStore(database, keys),
    telling: tellingOf(settings.wmMode, linkage, log),
    now,
    onRefused: ({ source, target }, error) =>
      log.warn(
        { patient: String(source), successor: String(target), causes: causesOf(error) },
        "the record of an old personal code is not linked to its successor",
      ),
  };
  return {
    store,
    now,
    population,
    registerSystem: settings.errorSystems.RR,
    loads: new SharedWork(),
    successions: { link: (source, target) => linkSuccessor(linking, { source, target }) },
  };
}

function now(): Date {
  return new Date();
}
