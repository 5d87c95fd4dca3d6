import type { Author } from "#proto/patientindex/v1/author_pb.ts";
import { inNameOf } from "../call/author.ts";
import { type InTurns, inNextTurn, inTurn, latestTry, nextTry, type Renew } from "../deliveries/index.ts";
import type { OutboxPlace } from "../deliveries/ports.ts";
import { MpiError, ofPatients } from "../errors/index.ts";
import type { LinkageNotifier } from "../registers/ports.ts";
import { withDeadline } from "./deadline.ts";
import type { NotificationQueue, WaitingNotification } from "./ports.ts";

export interface Delivery {
  readonly queue: NotificationQueue;
  readonly notifier: LinkageNotifier;
  /** Who made a version of a patient: the WM service is told in their name. */
  readonly authorOf: (patientId: bigint, version: number) => Promise<Author | undefined>;
  /** By the clock that all processes have in common. */
  readonly now: () => Promise<Date>;
  /** Told of each notification that the WM service did not take: MPI-039, naming the two patients. */
  readonly onFailure: (error: MpiError) => void;
}

export interface DeliveryRound {
  readonly delivered: number;
  readonly failed: number;
}

const BATCH = 1000;
/** How long the WM service may take for one notification. */
const DEADLINE_MS = 5000;
const LEASE_MS = 5 * DEADLINE_MS;
const NOTHING: DeliveryRound = { delivered: 0, failed: 0 };

/** What is delivered in a turn, and until when. */
interface Turn {
  readonly renew: Renew;
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
  last: OutboxPlace | undefined;
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
  const round = await inTurn(turnsOf(delivery), (renew) =>
    deliverWaiting(delivery, { renew, isWanted: isDue, isStopped }),
  );
  return round ?? NOTHING;
}

/** The same for all that waits, whether it is due or not; waits for its turn while somebody else delivers. */
export async function deliverAllNow(delivery: Delivery, signal: AbortSignal): Promise<DeliveryRound> {
  return await inNextTurn(turnsOf(delivery), signal, (renew) =>
    deliverWaiting(delivery, { renew, isWanted: () => true, isStopped: () => signal.aborted }),
  );
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
 * The next page behind the last place. When something was stored before that place meanwhile, it begins again at the front:
 * a later notification of the same patient may be on the page already.
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
  const now = await delivery.now();
  for (const waiting of page) {
    const { secondaryId, primaryId } = waiting.notification;
    const isHeldUp = heldUp.has(secondaryId) || heldUp.has(primaryId) || !turn.isWanted(waiting, now);
    if (turn.isStopped() || !(isHeldUp || (await turn.renew()))) return false;
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
  const { secondaryId, primaryId } = waiting.notification;
  try {
    const author = await delivery.authorOf(waiting.place.patientId, waiting.version);
    await withDeadline(DEADLINE_MS, (signal) =>
      inNameOf(author, () => delivery.notifier.notify(waiting.notification, signal)),
    );
  } catch (cause) {
    const error = cause instanceof MpiError ? cause : new MpiError("WM_NOTIFICATION_FAILED", {}, { cause });
    delivery.onFailure(ofPatients([secondaryId, primaryId], error));
    await delivery.queue.failed(waiting, nextTry(waiting.attempts, await delivery.now()));
    return false;
  }
  await delivery.queue.delivered(waiting);
  return true;
}

function turnsOf({ queue }: Delivery): InTurns {
  return { queue, leaseMs: LEASE_MS };
}

function isDue({ dueAt }: WaitingNotification, now: Date): boolean {
  return dueAt === undefined || dueAt <= now || dueAt > latestTry(now);
}
