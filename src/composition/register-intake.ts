import type { Logger } from "pino";
import { SharedWork } from "../concurrency/shared-work.ts";
import type { Settings } from "../config.ts";
import { causesOf } from "../errors/index.ts";
import { linkSuccessor, type SuccessionLinking } from "../linkage/index.ts";
import type { PatientStore, RegisterIntake } from "../patients/index.ts";
import type { PopulationRegister } from "../registers/ports.ts";

interface IntakeOptions {
  readonly settings: Pick<Settings, "errorSystems">;
  readonly log: Logger;
}

/** How patients are taken from the population register, and records of old personal codes linked to their successors. */
export function registerIntake(
  { settings, log }: IntakeOptions,
  store: PatientStore,
  linkage: Pick<SuccessionLinking, "links" | "telling">,
  population: PopulationRegister,
): RegisterIntake {
  const linking: SuccessionLinking = {
    ...linkage,
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
    storing: new SharedWork(),
    successions: { link: (source, target) => linkSuccessor(linking, { source, target }) },
  };
}

function now(): Date {
  return new Date();
}
