import type { Logger } from "pino";
import { causesOf } from "./errors/index.ts";
import { deliverNotifications, type LinkageNotifier } from "./linkage/index.ts";
import { type PatientStore, sendContactData } from "./patients/index.ts";
import type { PopulationRegister } from "./registers/ports.ts";
import {
  contactDataQueue,
  type Database,
  notificationQueue,
  publishChanges,
  purgeAnswers,
} from "./storage/index.ts";

type Stop = () => Promise<void>;

const INTERVAL_MS = 1_000;
const PURGE_INTERVAL_MS = 3_600_000;

/**
 * Publishes committed changes, so that a reader of the feed finds little to wait for and `_since` is near the time of
 * the write. Any number of processes may do so: the lease lets one at a time. Answers with how to stop.
 */
export function startPublishing(database: Database, log: Logger): Stop {
  return repeated(
    INTERVAL_MS,
    () => publishChanges(database, now()),
    (error) => log.error({ causes: causesOf(error) }, "publishing failed"),
  );
}

/**
 * Delivers what waits for the WM service. It is in the database, so a restart goes on where the last process stopped;
 * any number of processes may run this. Answers with how to stop.
 */
export function startTelling(database: Database, notifier: LinkageNotifier, log: Logger): Stop {
  const onFailure = (error: unknown) => log.warn({ causes: causesOf(error) }, "WM service not told");
  const delivery = { queue: notificationQueue(database), notifier, now, onFailure };
  return repeated(
    INTERVAL_MS,
    async (isStopped) => void (await deliverNotifications(delivery, isStopped)),
    (error) => log.error({ causes: causesOf(error) }, "telling the WM service failed"),
  );
}

/** Sends changed contact data to the population register; answers with how to stop. */
export function startSendingContactData(
  database: Database,
  store: PatientStore,
  population: PopulationRegister,
  log: Logger,
): Stop {
  const onFailure = (error: unknown) =>
    log.warn({ causes: causesOf(error) }, "contact data not sent (XRR400)");
  const sending = { queue: contactDataQueue(database), store, population, now, onFailure };
  return repeated(
    INTERVAL_MS,
    (isStopped) => sendContactData(sending, isStopped),
    (error) => log.error({ causes: causesOf(error) }, "sending contact data failed"),
  );
}

/** Removes answers of registers that are kept no longer; answers with how to stop. */
export function startPurging(database: Database, log: Logger): Stop {
  return repeated(
    PURGE_INTERVAL_MS,
    async () => void (await purgeAnswers(database, now())),
    (error) => log.error({ causes: causesOf(error) }, "purging answers of registers failed"),
  );
}

/** Does work again and again, never twice at once; stopping waits for what runs. */
function repeated(
  intervalMs: number,
  work: (isStopped: () => boolean) => Promise<void>,
  onError: (error: unknown) => void,
): Stop {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  const schedule = () => {
    if (!stopped) timer = setTimeout(run, intervalMs);
  };
  const run = () => {
    round = work(() => stopped)
      .catch(onError)
      .finally(schedule);
  };
  schedule();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await round;
  };
}

function now(): Date {
  return new Date();
}
