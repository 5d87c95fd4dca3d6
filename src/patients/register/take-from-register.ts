import { setTimeout as delay } from "node:timers/promises";
import { toJsonString } from "@bufbuild/protobuf";
import {
  type RegisteredPerson,
  RegisteredPersonSchema,
} from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { writtenByRegister } from "../../call/author.ts";
import type { SharedWork } from "../../call/shared-work.ts";
import type { PopulationRegister } from "../../registers/ports.ts";
import { IdentifierTaken, type PatientStore, type StoredPatient } from "../ports.ts";
import { newRegisteredPatient, refreshedPatient } from "./registered-patient.ts";

/** What patients are loaded from the population register with. */
export interface RegisterLoading {
  readonly store: PatientStore;
  readonly now: () => Date;
  readonly population: PopulationRegister;
  /** URI of the population register, meta.source of what it wrote. */
  readonly registerSystem: string;
  /** Loads that run: those who get the same answer of the register at once share one. */
  readonly loads: SharedWork<StoredPatient>;
}

/** While the winner of a race has its identifier but no patient yet. */
const LOOK_AGAIN_MS = 10;

/**
 * The patient of a personal code as the population register has the person now: created, or refreshed by a new
 * version only if something has changed. Throws RegisterFailure as the register does.
 */
export async function takeFromRegister(
  loading: RegisterLoading,
  personalCode: string,
  noCache: boolean,
): Promise<StoredPatient> {
  // Not shared here: each caller has a deadline of its own, and the adapter lets those who ask the same share its call.
  const person = await loading.population.readPerson({ personalCode, noCache });
  return await loading.loads.do(toJsonString(RegisteredPersonSchema, person), () => load(loading, person));
}

async function load(loading: RegisterLoading, person: RegisteredPerson): Promise<StoredPatient> {
  for (;;) {
    const stored = await writtenByRegister(loading.registerSystem, () => createOrRefresh(loading, person));
    if (stored) return stored;
    await delay(LOOK_AGAIN_MS);
  }
}

/** undefined when another writer was faster: then it is to be looked at again. */
async function createOrRefresh(
  loading: RegisterLoading,
  person: RegisteredPerson,
): Promise<StoredPatient | undefined> {
  const { store, registerSystem, now } = loading;
  const [holder] = await store.holders([{ country: "est", type: "ni", value: person.personalCode }]);
  if (holder === undefined) return await created(loading, person);
  const current = await store.read(holder);
  if (!current) return undefined;
  const next = refreshedPatient(current.patient, person, registerSystem);
  if (!next) return current;
  const replaced = await store.replace(current.patient, next, now());
  return replaced === "stale" ? undefined : { ...current, patient: replaced };
}

async function created(
  { store, registerSystem, now }: RegisterLoading,
  person: RegisteredPerson,
): Promise<StoredPatient | undefined> {
  try {
    return { patient: await store.create(newRegisteredPatient(person, registerSystem), now()) };
  } catch (cause) {
    if (cause instanceof IdentifierTaken) return undefined;
    throw cause;
  }
}
