import type { Logger } from "pino";
import type { Settings } from "../config.ts";
import type { Linkage } from "../linkage/index.ts";
import type { Metrics } from "../metrics/index.ts";
import type { PatientStore, RegisterIntake } from "../patients/index.ts";
import type { Registers } from "../registers/ports.ts";
import { linkStore, patientStore, type Storage } from "../storage/index.ts";
import type { Tracing } from "../tracing/index.ts";
import { tellingOf } from "./deliveries.ts";
import { registerIntake } from "./register-intake.ts";

/** What a core is made of. */
interface Given {
  readonly settings: Settings;
  readonly log: Logger;
  readonly storage: Storage;
  readonly registers: Registers;
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing | undefined;
}

/** What the services and the jobs of a process work with, each made once. */
export interface CoreParts extends Given {
  readonly patients: PatientStore;
  readonly linking: Pick<Linkage, "links" | "telling">;
  readonly intake: RegisterIntake;
}

export function coreParts(given: Given): CoreParts {
  const { settings, log, storage, registers } = given;
  const { database, keys } = storage;
  const patients = patientStore(database, keys, settings);
  const linking = {
    links: linkStore(database, keys),
    telling: tellingOf(settings.wmMode, registers.linkage, log),
  };
  const intake = registerIntake({ settings, log }, patients, linking, registers.population);
  return { ...given, patients, linking, intake };
}
