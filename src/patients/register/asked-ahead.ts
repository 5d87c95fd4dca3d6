import { AsyncLocalStorage } from "node:async_hooks";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { AddressRegistry } from "../../registers/ports.ts";
import { patientNumber } from "../patient-id.ts";
import type { PatientIndex } from "../patient-index.ts";
import { resolveAddresses } from "./resolve-addresses.ts";

type Answer = ReturnType<AddressRegistry["findAddresses"]>;

const answers = new AsyncLocalStorage<Map<string, Answer>>();

/** A patient as it is to be written: new, or in place of the one of an id. */
export interface PatientWrite {
  readonly id?: string;
  readonly patient: Patient;
}

/** The registry, which within `addressesAskedAhead` is asked once for each address. */
export function registryAskedOnce(registry: AddressRegistry): AddressRegistry {
  return {
    findAddresses(asked) {
      const known = answers.getStore();
      if (!known) return registry.findAddresses(asked);
      const key = JSON.stringify(asked);
      const answer = known.get(key) ?? registry.findAddresses(asked);
      known.set(key, answer);
      return answer;
    },
  };
}

/**
 * Does work that writes patients, their addresses asked for before it: so that nobody's row is locked while the
 * registry takes its time. What goes wrong is said where the work asks, and gets the same answer.
 */
export async function addressesAskedAhead<Result>(
  index: PatientIndex,
  writes: readonly PatientWrite[],
  work: () => Promise<Result>,
): Promise<Result> {
  const withAddresses = writes.filter(({ patient }) => patient.address.length > 0);
  if (withAddresses.length === 0) return await work();
  return await answers.run(new Map(), async () => {
    await Promise.allSettled(withAddresses.map((write) => askAhead(index, write)));
    return await work();
  });
}

async function askAhead({ store, addresses }: PatientIndex, { id = "", patient }: PatientWrite) {
  const number = patientNumber(id);
  const current = number === undefined ? undefined : await store.read(number);
  return await resolveAddresses(addresses, patient, patient, current?.patient.address);
}
