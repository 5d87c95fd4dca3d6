import type { Logger } from "pino";
import { causesOf } from "./errors/index.ts";
import { type LinkageNotifier, startNotificationWorker } from "./linkage/index.ts";
import { type PatientStore, sendContactData } from "./patients/index.ts";
import type { PopulationRegister } from "./registers/ports.ts";
import { contactDataQueue, type Database, notificationQueue, purgeAnswers } from "./storage/index.ts";

type Stop = () => Promise<void>;

const SENDING_INTERVAL_MS = 1_000;
const PURGE_INTERVAL_MS = 3_600_000;

/** Delivers what waits for the WM service; answers with how to stop. */
export function startTelling(database: Database, notifier: LinkageNotifier, log: Logger): Stop {
  const onFailure = (error: unknown) => log.warn({ causes: causesOf(error) }, "WM service not told");
  const worker = startNotificationWorker(
    { queue: notificationQueue(database), notifier, now, onFailure },
    (error) => log.error({ causes: causesOf(error) }, "telling the WM service failed"),
  );
  return () => worker.stop();
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
    SENDING_INTERVAL_MS,
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
