import { SharedWork } from "../../src/concurrency/shared-work.ts";
import { defaultErrorSystems } from "../../src/errors/index.ts";
import type { PatientIndex, PatientStore, RegisterIntake } from "../../src/patients/index.ts";
import type { PopulationRegister } from "../../src/registers/ports.ts";

/** For tests of what never asks the population register: asking it is a mistake. */
export function noRegister(store: PatientStore): RegisterIntake {
  const population = new Proxy({} as PopulationRegister, {
    get: (_, name) => () => {
      throw new Error(`The population register was asked for ${String(name)}.`);
    },
  });
  const storing: RegisterIntake["storing"] = new SharedWork();
  const successions: RegisterIntake["successions"] = { link: () => Promise.reject(new Error("A link.")) };
  const registerSystem = defaultErrorSystems.RR;
  return { store, now: () => new Date(), population, registerSystem, storing, successions };
}

/** For tests without Estonian addresses: resolving one is a mistake. */
export const noAddressRegistry: PatientIndex["addresses"] = {
  indexSystem: defaultErrorSystems.MPI,
  now: () => new Date(),
  registry: {
    findAddresses() {
      throw new Error("The address registry was asked.");
    },
  },
};
