import { type Delivery, deliverNotifications } from "./deliver-notifications.ts";

export interface NotificationWorker {
  /** Resolves when the round that runs has ended and no other will follow. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 1000;

/**
 * Delivers notifications once a second, for as long as the process lives. What waits is in the database, so a restart
 * goes on where the last process stopped; any number of processes may run this.
 */
export function startNotificationWorker(
  delivery: Delivery,
  onError: (error: unknown) => void,
): NotificationWorker {
  let round: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const schedule = () => {
    if (!stopped) timer = setTimeout(deliver, INTERVAL_MS);
  };
  const deliver = () => {
    round = deliverNotifications(delivery, () => stopped)
      .catch(onError)
      .finally(schedule);
  };
  schedule();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
