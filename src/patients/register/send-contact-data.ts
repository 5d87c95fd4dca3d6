import { inNameOf } from "../../call/author.ts";
import { type InTurns, inNextTurn, inTurn, nextTry, type Renew } from "../../deliveries/index.ts";
import { asMpiError, type MpiError, ofPatient } from "../../errors/index.ts";
import { isEstonianPersonalCode } from "../../identifiers/index.ts";
import { failingAs, type PopulationRegister } from "../../registers/ports.ts";
import type { ContactDataQueue, PatientStore, WaitingContactData } from "../ports.ts";
import { contactDataOf } from "./contact-data.ts";

/** What contact data are sent with. */
export interface ContactDataSending {
  readonly queue: ContactDataQueue;
  readonly store: PatientStore;
  readonly population: PopulationRegister;
  /** By the clock that all processes have in common. */
  readonly now: () => Promise<Date>;
  /**
   * Told of each failure: its chain is MPI-029 (MPI-089 of an absent person), XRR400 and the register's own code, where it
   * gave one. It names the patient.
   */
  readonly onFailure: (error: MpiError) => void;
}

export interface SendingRound {
  readonly sent: number;
  readonly failed: number;
}

const BATCH = 100;
const LEASE_MS = 60_000;
const NOTHING: SendingRound = { sent: 0, failed: 0 };
/** Everything that waits is due by then. */
const END_OF_TIME = new Date("9999-12-31T00:00:00Z");

/**
 * Sends the contact data that clients have changed and that are due, at least once. What is sent is what holds when it
 * is sent, in the name of who changed it last; an earlier change that has not been sent by then goes with it. Does nothing
 * while another process sends.
 */
export async function sendContactData(
  sending: ContactDataSending,
  isStopped: () => boolean,
): Promise<SendingRound> {
  const round = await inTurn(turnsOf(sending), async (renew) =>
    sendDue(sending, await sending.now(), renew, isStopped),
  );
  return round ?? NOTHING;
}

/** The same for all that wait, whether they are due or not; waits for its turn while another process sends. */
export async function sendAllContactDataNow(
  sending: ContactDataSending,
  signal: AbortSignal,
): Promise<SendingRound> {
  return await inNextTurn(turnsOf(sending), signal, (renew) =>
    sendDue(sending, END_OF_TIME, renew, () => signal.aborted),
  );
}

async function sendDue(
  sending: ContactDataSending,
  due: Date,
  renew: Renew,
  isStopped: () => boolean,
): Promise<SendingRound> {
  const round = { ...NOTHING };
  for await (const waiting of allDue(sending.queue, due)) {
    if (isStopped() || !(await renew())) return round;
    if (await send(sending, waiting)) round.sent++;
    else round.failed++;
  }
  return round;
}

/** Page by page, each of them once: those that fail stay in the queue. */
async function* allDue(queue: ContactDataQueue, due: Date): AsyncGenerator<WaitingContactData> {
  let page: WaitingContactData[] = [];
  do {
    page = await queue.due(due, BATCH, page.at(-1));
    yield* page;
  } while (page.length === BATCH);
}

/** Whether it was sent; false when it is to be tried again. */
async function send(sending: ContactDataSending, waiting: WaitingContactData): Promise<boolean> {
  const { queue, now, onFailure } = sending;
  try {
    await failingAs(["RR_INTEGRATION_FAILED"], () => sendCurrent(sending, waiting));
  } catch (error) {
    onFailure(ofPatient(waiting.patientId, asMpiError(error)));
    await queue.failed(waiting, nextTry(waiting.attempts, await now()));
    return false;
  }
  await queue.sent(waiting);
  return true;
}

async function sendCurrent(
  { queue, store, population, now }: ContactDataSending,
  waiting: WaitingContactData,
): Promise<void> {
  const { patientId, version, at } = waiting;
  const stored = await store.read(patientId);
  // Asked after the read: what was read is then of this author, or of nobody here.
  if (await queue.isOvertaken(waiting)) return;
  const personalCode = stored?.patient.identifier.find(({ system }) => isEstonianPersonalCode(system))?.value;
  if (!stored || personalCode === undefined) return;
  // A version is given again when the database was put back to a time before it.
  const messageId = `${patientId}-${version}-${at.getTime()}`;
  const contactData = { personalCode, messageId, ...contactDataOf(stored.patient, await now()) };
  const author = await store.authorOf(patientId, version);
  await inNameOf(author, () => population.updateContactData(contactData));
}

function turnsOf({ queue }: ContactDataSending): InTurns {
  return { queue, leaseMs: LEASE_MS };
}
