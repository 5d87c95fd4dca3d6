import { randomUUID } from "node:crypto";
import { isEstonianPersonalCode } from "../../identifiers/index.ts";
import type { PopulationRegister } from "../../registers/ports.ts";
import type { ContactDataQueue, PatientStore, WaitingContactData } from "../ports.ts";
import { contactDataOf } from "./contact-data.ts";

/** What contact data are sent with. */
export interface ContactDataSending {
  readonly queue: ContactDataQueue;
  readonly store: PatientStore;
  readonly population: PopulationRegister;
  readonly now: () => Date;
  /** Told of each failure: its chain begins with XRR400. */
  readonly onFailure: (error: unknown) => void;
}

const BATCH = 100;
/** The lease outlives the slowest sending, so that nobody else begins while one is under way. */
const LEASE_MS = 60_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 600_000;

/**
 * Sends the contact data that clients have changed and that are due, at least once. What is sent is what holds when it
 * is sent, so a later change needs no order. Does nothing while another process sends.
 */
export async function sendContactData(sending: ContactDataSending, isStopped: () => boolean): Promise<void> {
  const { queue, now } = sending;
  const holder = randomUUID();
  if (!(await queue.lease(holder, now(), LEASE_MS))) return;
  try {
    for (const waiting of await queue.due(now(), BATCH)) {
      if (isStopped() || !(await queue.lease(holder, now(), LEASE_MS))) return;
      await send(sending, waiting);
    }
  } finally {
    await queue.release(holder);
  }
}

async function send(
  { queue, store, population, now, onFailure }: ContactDataSending,
  waiting: WaitingContactData,
) {
  const stored = await store.read(waiting.patientId);
  const personalCode = stored?.patient.identifier.find(({ system }) => isEstonianPersonalCode(system))?.value;
  try {
    if (stored && personalCode !== undefined) {
      const messageId = `${waiting.patientId}-${waiting.version}`;
      await population.updateContactData({
        personalCode,
        messageId,
        ...contactDataOf(stored.patient, now()),
      });
    }
  } catch (error) {
    onFailure(error);
    const wait = Math.min(FIRST_WAIT_MS * 2 ** waiting.attempts, LONGEST_WAIT_MS);
    await queue.failed(waiting, new Date(now().getTime() + wait));
    return;
  }
  await queue.sent(waiting);
}
