import type { LinkageNotification, LinkageNotifier } from "../../src/registers/ports.ts";

/** A WM service that remembers what it took, and refuses what it is told to. */
export interface WmReceiver extends LinkageNotifier {
  readonly taken: LinkageNotification[];
  readonly takenBack: string[];
  /** Refuses notifications for which this holds. */
  refuses: (notification: LinkageNotification) => boolean;
  /** Takes notifications, but does not answer in time. */
  isSilent: boolean;
}

export function wmReceiver(): WmReceiver {
  const receiver: WmReceiver = {
    taken: [],
    takenBack: [],
    refuses: () => false,
    isSilent: false,
    async notify(notification, signal) {
      if (receiver.refuses(notification)) throw new Error("The WM service refused.");
      receiver.taken.push(notification);
      if (receiver.isSilent) await aborted(signal);
    },
    async takeBack(notificationId) {
      receiver.takenBack.push(notificationId);
    },
  };
  return receiver;
}

/** What was taken, such as `link 1>2`. */
export function said({ kind, secondaryId, primaryId }: LinkageNotification): string {
  return `${kind} ${secondaryId}>${primaryId}`;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}
