import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Author } from "#proto/patientindex/v1/author_pb.ts";
import { inNameOf } from "../call/author.ts";
import { MpiError } from "../errors/index.ts";
import type { LinkageNotifier } from "../registers/ports.ts";
import { withDeadline } from "./deadline.ts";
import type { NotificationQueue, QueuePlace, WaitingNotification } from "./ports.ts";

export interface Delivery {
  readonly queue: NotificationQueue;
  readonly notifier: LinkageNotifier;
  /** Who made a version of a patient: the WM service is told in their name. */
  readonly authorOf: (patientId: bigint, version: number) => Promise<Author | undefined>;
  readonly now: () => Date;
  /** Told of each notification that the WM service did not take: MPI-039. */
  readonly onFailure: (error: MpiError) => void;
}

export interface DeliveryRound {
  readonly delivered: number;
  readonly failed: number;
}

const BATCH = 1000;
/** How long the WM service may take for one notification. */
const DEADLINE_MS = 5000;
/** The lease outlives the slowest delivery, so that nobody else starts while one is under way. */
const LEASE_MS = 5 * DEADLINE_MS;
/** Wait after the first failure; it doubles with each further one. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 600_000;
/** How soon the right to deliver is asked for again. */
const LEASE_AGAIN_MS = 250;
const NOTHING: DeliveryRound = { delivered: 0, failed: 0 };

/** Whose turn it is to deliver, what, and until when. */
interface Turn {
  readonly holder: string;
  readonly isWanted: (waiting: WaitingNotification, now: Date) => boolean;
  readonly isStopped: () => boolean;
}

/** How far a turn has come. */
interface Progress {
  delivered: number;
  failed: number;
  /** Patients of whom nothing more is delivered in this turn. */
  readonly heldUp: Set<string>;
  /** The last place in the queue that was seen. */
  last: QueuePlace | undefined;
  /** How many were left waiting up to there. */
  left: number;
}

/**
 * Delivers what waits and is due, each patient's notifications in their order: behind one that the WM service did
 * not take, those of the same patients wait, and no others. Does nothing while somebody else delivers, and stops
 * between two notifications when it is told to.
 */
export async function deliverNotifications(
  delivery: Delivery,
  isStopped: () => boolean = () => false,
): Promise<DeliveryRound> {
  const holder = randomUUID();
  if (!(await renew(delivery, holder))) return NOTHING;
  try {
    return await deliverWaiting(delivery, { holder, isWanted: isDue, isStopped });
  } finally {
    await delivery.queue.release(holder);
  }
}

/** The same for all that waits, whether it is due or not; waits for its turn while somebody else delivers. */
export async function deliverAllNow(delivery: Delivery, signal: AbortSignal): Promise<DeliveryRound> {
  const holder = randomUUID();
  while (!(await renew(delivery, holder))) await delay(LEASE_AGAIN_MS, undefined, { signal });
  try {
    return await deliverWaiting(delivery, { holder, isWanted: () => true, isStopped: () => signal.aborted });
  } finally {
    await delivery.queue.release(holder);
  }
}

async function deliverWaiting(delivery: Delivery, turn: Turn): Promise<DeliveryRound> {
  const progress: Progress = { ...NOTHING, heldUp: new Set(), last: undefined, left: 0 };
  for (let isMore = true; isMore; ) {
    const page = await nextPage(delivery.queue, progress);
    isMore = (await deliverPage(delivery, turn, page, progress)) && page.length === BATCH;
  }
  return { delivered: progress.delivered, failed: progress.failed };
}

/**
 * What is behind the last place. When something was stored before that meanwhile, the queue from its front again: a
 * later one of the same patient may be on the page already.
 */
async function nextPage(queue: NotificationQueue, progress: Progress): Promise<WaitingNotification[]> {
  const { last, left } = progress;
  const page = await queue.waiting(BATCH, last);
  if (!last || (await queue.waitingUpTo(last)) <= left) return page;
  Object.assign(progress, { last: undefined, left: 0 });
  return await queue.waiting(BATCH);
}

/** Whether the turn goes on. */
async function deliverPage(
  delivery: Delivery,
  turn: Turn,
  page: readonly WaitingNotification[],
  progress: Progress,
): Promise<boolean> {
  const { heldUp } = progress;
  for (const waiting of page) {
    const { secondaryId, primaryId } = waiting.notification;
    const isHeldUp =
      heldUp.has(secondaryId) || heldUp.has(primaryId) || !turn.isWanted(waiting, delivery.now());
    if (turn.isStopped() || !(isHeldUp || (await renew(delivery, turn.holder)))) return false;
    const isDelivered = !isHeldUp && (await deliver(delivery, waiting));
    if (isDelivered) progress.delivered++;
    else {
      heldUp.add(secondaryId).add(primaryId);
      progress.left++;
    }
    if (!isHeldUp && !isDelivered) progress.failed++;
    progress.last = waiting.place;
  }
  return true;
}

async function deliver(delivery: Delivery, waiting: WaitingNotification): Promise<boolean> {
  try {
    const author = await delivery.authorOf(waiting.place.patientId, waiting.version);
    await withDeadline(DEADLINE_MS, (signal) =>
      inNameOf(author, () => delivery.notifier.notify(waiting.notification, signal)),
    );
  } catch (cause) {
    delivery.onFailure(
      cause instanceof MpiError ? cause : new MpiError("WM_NOTIFICATION_FAILED", {}, { cause }),
    );
    const wait = Math.min(FIRST_WAIT_MS * 2 ** waiting.attempts, LONGEST_WAIT_MS);
    await delivery.queue.failed(waiting, new Date(delivery.now().getTime() + wait));
    return false;
  }
  await delivery.queue.delivered(waiting);
  return true;
}

function renew({ queue, now }: Delivery, holder: string): Promise<boolean> {
  return queue.lease(holder, now(), LEASE_MS);
}

function isDue({ dueAt }: WaitingNotification, now: Date): boolean {
  return dueAt === undefined || dueAt <= now;
}
