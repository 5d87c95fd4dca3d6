import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { inNameOf } from "../../call/author.ts";
import { asMpiError, type MpiError } from "../../errors/index.ts";
import { isEstonianPersonalCode } from "../../identifiers/index.ts";
import { failedRegister, type PopulationRegister } from "../../registers/ports.ts";
import type { ContactDataQueue, PatientStore, WaitingContactData } from "../ports.ts";
import { contactDataOf } from "./contact-data.ts";

/** What contact data are sent with. */
export interface ContactDataSending {
  readonly queue: ContactDataQueue;
  readonly store: PatientStore;
  readonly population: PopulationRegister;
  readonly now: () => Date;
  /** Told of each failure: its chain is MPI-029, XRR400 and the register's own code, where it gave one. */
  readonly onFailure: (error: MpiError) => void;
}

export interface SendingRound {
  readonly sent: number;
  readonly failed: number;
}

const BATCH = 100;
/** The lease outlives the slowest sending, so that nobody else begins while one is under way. */
const LEASE_MS = 60_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 600_000;
/** How soon the right to send is asked for again. */
const LEASE_AGAIN_MS = 250;
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
  const holder = randomUUID();
  if (!(await renew(sending, holder))) return { sent: 0, failed: 0 };
  try {
    return await sendDue(sending, sending.now(), holder, isStopped);
  } finally {
    await sending.queue.release(holder);
  }
}

/** The same for all that wait, whether they are due or not; waits for its turn while another process sends. */
export async function sendAllContactDataNow(
  sending: ContactDataSending,
  signal: AbortSignal,
): Promise<SendingRound> {
  const holder = randomUUID();
  while (!(await renew(sending, holder))) await delay(LEASE_AGAIN_MS, undefined, { signal });
  try {
    return await sendDue(sending, END_OF_TIME, holder, () => signal.aborted);
  } finally {
    await sending.queue.release(holder);
  }
}

async function sendDue(
  sending: ContactDataSending,
  due: Date,
  holder: string,
  isStopped: () => boolean,
): Promise<SendingRound> {
  const round = { sent: 0, failed: 0 };
  for await (const waiting of allDue(sending.queue, due)) {
    if (isStopped() || !(await renew(sending, holder))) return round;
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
    await failedRegister(["RR_INTEGRATION_FAILED"], () => sendCurrent(sending, waiting));
  } catch (error) {
    onFailure(asMpiError(error));
    const wait = Math.min(FIRST_WAIT_MS * 2 ** waiting.attempts, LONGEST_WAIT_MS);
    await queue.failed(waiting, new Date(now().getTime() + wait));
    return false;
  }
  await queue.sent(waiting);
  return true;
}

async function sendCurrent(
  { queue, store, population, now }: ContactDataSending,
  waiting: WaitingContactData,
): Promise<void> {
  const { patientId, version } = waiting;
  const stored = await store.read(patientId);
  // Asked after the read: what was read is then of this author, or of nobody here.
  if (await queue.isOvertaken(waiting)) return;
  const personalCode = stored?.patient.identifier.find(({ system }) => isEstonianPersonalCode(system))?.value;
  if (!stored || personalCode === undefined) return;
  const messageId = `${patientId}-${version}`;
  const contactData = { personalCode, messageId, ...contactDataOf(stored.patient, now()) };
  const author = await store.authorOf(patientId, version);
  await inNameOf(author, () => population.updateContactData(contactData));
}

function renew({ queue, now }: ContactDataSending, holder: string): Promise<boolean> {
  return queue.lease(holder, now(), LEASE_MS);
}
