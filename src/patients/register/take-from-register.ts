import { setTimeout as delay } from "node:timers/promises";
import { toJsonString } from "@bufbuild/protobuf";
import {
  type RegisteredPerson,
  RegisteredPersonSchema,
} from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { writtenByRegister } from "../../call/author.ts";
import type { SharedWork } from "../../concurrency/shared-work.ts";
import { MpiError } from "../../errors/index.ts";
import { personalCodeToken } from "../../identifiers/index.ts";
import type { PersonAsked, PopulationRegister } from "../../registers/ports.ts";
import { IdentifierTaken, type PatientStore, type StoredPatient, type Successions } from "../ports.ts";
import { isRuledAlike, newRegisteredPatient, refreshedPatient } from "./registered-patient.ts";
import { readSuccession, unlinkedPairs } from "./succession.ts";

/** What patients are taken from the population register with. */
export interface RegisterIntake {
  readonly store: PatientStore;
  readonly now: () => Date;
  readonly population: PopulationRegister;
  /** URI of the population register, meta.source of what it wrote. */
  readonly registerSystem: string;
  /** Answers that are being stored: those who get the same one at once share the work. */
  readonly storing: SharedWork<StoredPatient>;
  readonly successions: Successions;
}

/** While the winner of a race has its identifier but no patient yet. */
const LOOK_AGAIN_MS = 10;
const LONGEST_WAIT_MS = 200;
/** Who wins a race has long written the patient by then. */
const LONGEST_RACE_MS = 2_000;

/** Another writer was faster, so it is to be looked at again. */
class Overtaken extends Error {
  override readonly name: string = "Overtaken";
  /** The error when it is still so after the longest race: then the blind index names a holder who is not there. */
  readonly lasting: "INDEX_INCONSISTENT" | "SERVICE_UNAVAILABLE" = "INDEX_INCONSISTENT";
}

/** The patient is there, and others write it all the time: the next call may be faster. */
class NewerVersion extends Overtaken {
  override readonly name = "NewerVersion";
  override readonly lasting = "SERVICE_UNAVAILABLE";
}

/**
 * What the register rules on was written while it took its time: the answer may be older than what is there, so the
 * register is asked again.
 */
class AnswerOvertaken extends Error {
  override readonly name = "AnswerOvertaken";
}

/** So often the register is asked while others write what it rules on. */
const MOST_ASKED = 5;

/** What the register said of a person, and the patient as it was before that was asked, if there was one. */
interface Answer {
  readonly person: RegisteredPerson;
  readonly seen: Patient | undefined;
}

/**
 * The patient of a personal code as the population register has the person now: created, or refreshed by a new
 * version only if something has changed. Where another code took the place of this one, the patient of that code is taken too,
 * and the old record linked below it; if that ends halfway, the next call completes it. Throws RegisterFailure as the register does.
 */
export async function takeFromRegister(
  intake: RegisterIntake,
  personalCode: string,
  noCache: boolean,
): Promise<StoredPatient> {
  for (let asked = 1; ; asked++) {
    try {
      return await taken(intake, { personalCode, noCache });
    } catch (cause) {
      if (!(cause instanceof AnswerOvertaken)) throw cause;
      if (asked === MOST_ASKED) throw new MpiError("SERVICE_UNAVAILABLE", {}, { cause });
    }
  }
}

async function taken(intake: RegisterIntake, asked: PersonAsked): Promise<StoredPatient> {
  const seen = new Map<string, Patient | undefined>();
  // Not shared here: each caller has a deadline of its own, and the adapter lets those who ask the same share its call.
  const [person, ...successors] = await readSuccession(noting(intake, seen), asked);
  const answerOf = (one: RegisteredPerson) => ({ person: one, seen: seen.get(one.personalCode) });
  const record = await storeShared(intake, answerOf(person));
  if (successors.length === 0) return record;
  const records = [record];
  for (const successor of successors) records.push(await storeShared(intake, answerOf(successor)));
  return await linked(intake, record, unlinkedPairs(records));
}

/** The register, with a note of each patient as it is before the register is asked about the person. */
function noting(
  { population, store }: RegisterIntake,
  seen: Map<string, Patient | undefined>,
): Pick<PopulationRegister, "readPerson"> {
  return {
    async readPerson(asked) {
      const holder = await holderOf(store, asked.personalCode);
      const stored = holder === undefined ? undefined : await store.read(holder);
      seen.set(asked.personalCode, stored?.patient);
      return await population.readPerson(asked);
    },
  };
}

async function holderOf(store: PatientStore, personalCode: string): Promise<bigint | undefined> {
  const [holder] = await store.holders([personalCodeToken(personalCode)]);
  return holder;
}

/** The record that was asked for as it is when these pairs are linked. */
async function linked(
  { store, registerSystem, successions }: RegisterIntake,
  asked: StoredPatient,
  pairs: readonly (readonly [old: bigint, successor: bigint])[],
): Promise<StoredPatient> {
  for (const [old, successor] of pairs) {
    await writtenByRegister(registerSystem, () => successions.link(old, successor));
  }
  if (pairs.length === 0) return asked;
  return (await store.read(BigInt(asked.patient.id ?? ""))) ?? asked;
}

function storeShared(intake: RegisterIntake, answer: Answer): Promise<StoredPatient> {
  return intake.storing.do(toJsonString(RegisteredPersonSchema, answer.person), () =>
    storeAnswer(intake, answer),
  );
}

async function storeAnswer(intake: RegisterIntake, answer: Answer): Promise<StoredPatient> {
  const end = performance.now() + LONGEST_RACE_MS;
  for (let wait = LOOK_AGAIN_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    // A write may have waited for long for whoever was faster.
    const isLast = performance.now() > end;
    const stored = await writtenByRegister(intake.registerSystem, () => createOrRefresh(intake, answer));
    if (!(stored instanceof Overtaken)) return stored;
    if (isLast) throw new MpiError(stored.lasting, {}, { cause: stored });
    await delay(wait);
  }
}

async function createOrRefresh(
  intake: RegisterIntake,
  { person, seen }: Answer,
): Promise<StoredPatient | Overtaken> {
  const { store, registerSystem, now } = intake;
  const holder = await holderOf(store, person.personalCode);
  if (holder === undefined) return await created(intake, person);
  const current = await store.read(holder);
  if (!current) return new Overtaken("The holder of the personal code is not there.");
  const word = { source: registerSystem, now: now() };
  const next = refreshedPatient(current.patient, person, word);
  if (!next) return current;
  if (seen === undefined || !isRuledAlike(seen, current.patient)) {
    throw new AnswerOvertaken("The patient was written while the register was asked.");
  }
  const replaced = await store.replace(current.patient, next, word.now);
  if (replaced === "stale") return new NewerVersion("There is a newer version of the patient.");
  return { ...current, patient: replaced };
}

async function created(
  { store, registerSystem, now }: RegisterIntake,
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
