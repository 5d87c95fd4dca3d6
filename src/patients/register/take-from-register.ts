import { setTimeout as delay } from "node:timers/promises";
import { toJsonString } from "@bufbuild/protobuf";
import {
  type RegisteredPerson,
  RegisteredPersonSchema,
} from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { writtenByRegister } from "../../call/author.ts";
import type { SharedWork } from "../../call/shared-work.ts";
import { MpiError } from "../../errors/index.ts";
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
const LONGEST_WAIT_MS = 200;
/** Who wins a race has long written the patient by then: nobody has the identifier, and the index says that somebody has. */
const LONGEST_RACE_MS = 2_000;

/** Another writer was faster, so it is to be looked at again. */
class Overtaken extends Error {
  override readonly name = "Overtaken";
}

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
  const end = performance.now() + LONGEST_RACE_MS;
  for (let wait = LOOK_AGAIN_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    const stored = await writtenByRegister(loading.registerSystem, () => createOrRefresh(loading, person));
    if (!(stored instanceof Overtaken)) return stored;
    if (performance.now() > end) throw new MpiError("INDEX_INCONSISTENT", {}, { cause: stored });
    await delay(wait);
  }
}

async function createOrRefresh(
  loading: RegisterLoading,
  person: RegisteredPerson,
): Promise<StoredPatient | Overtaken> {
  const { store, registerSystem, now } = loading;
  const [holder] = await store.holders([{ country: "est", type: "ni", value: person.personalCode }]);
  if (holder === undefined) return await created(loading, person);
  const current = await store.read(holder);
  if (!current) return new Overtaken("The holder of the personal code is not there.");
  const word = { source: registerSystem, now: now() };
  const next = refreshedPatient(current.patient, person, word);
  if (!next) return current;
  const replaced = await store.replace(current.patient, next, word.now);
  if (replaced === "stale") return new Overtaken("There is a newer version of the patient.");
  return { ...current, patient: replaced };
}

async function created(
  { store, registerSystem, now }: RegisterLoading,
  person: RegisteredPerson,
): Promise<StoredPatient | Overtaken> {
  const word = { source: registerSystem, now: now() };
  try {
    return { patient: await store.create(newRegisteredPatient(person, word), word.now) };
  } catch (cause) {
    if (cause instanceof IdentifierTaken) return new Overtaken("Somebody has the personal code.", { cause });
    throw cause;
  }
}
