import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { underSignal } from "../call/current-call.ts";
import { causesOf, type ErrorSystems, RepeatedFailures } from "../errors/index.ts";
import { repeated, type StandingWork, standingRound } from "../jobs/index.ts";
import { deliverNotifications } from "../linkage/index.ts";
import { type PatientStore, sendContactData } from "../patients/index.ts";
import type { LinkageNotifier, PopulationRegister } from "../registers/ports.ts";
import {
  backfillBlockKeys,
  type Database,
  jobStore,
  publishChanges,
  purgeAnswers,
} from "../storage/index.ts";
import { type DeliveringWork, deliveryTo, sendingTo } from "./deliveries.ts";
import type { TraceWork } from "./tracing.ts";

type Stop = () => Promise<void>;

/** What is done again and again, and what is said of it. */
export interface BackgroundWork extends DeliveringWork {
  /** Where the failures of rounds are logged. */
  readonly failures: RepeatedFailures;
  /** Where standing work shows its state: as jobs. */
  readonly standing: StandingWork;
}

/** Background work on a database, whose standing jobs are in it too. */
export function backgroundWork(
  database: Database,
  systems: ErrorSystems,
  log: Logger,
  traceWork: TraceWork,
): BackgroundWork {
  return {
    database,
    log,
    failures: failuresIn(log),
    standing: { store: jobStore(database), systems, now },
    traceWork,
  };
}

/** Failures of what is done every second, in the log. */
function failuresIn(log: Logger): RepeatedFailures {
  return new RepeatedFailures((details, message) => log.error(details, message));
}

const INTERVAL_MS = 1_000;
const BACKFILL_PAUSE_MS = 20;
const PURGE_INTERVAL_MS = 3_600_000;

/**
 * Publishes committed changes, so that a reader of the feed finds little to wait for and `_since` is near the time of
 * the write. Any number of processes may do so: the lease lets one at a time. Answers with how to stop.
 */
export function startPublishing(database: Database, log: Logger): Stop {
  const failures = failuresIn(log);
  return repeated(
    INTERVAL_MS,
    () => publishChanges(database, now()),
    (error) => failures.note(error, "publishing failed"),
  );
}

/**
 * Delivers what waits for the WM service. It is in the database, so a restart goes on where the last process stopped;
 * any number of processes may run this. Answers with how to stop.
 */
export function startTelling(work: BackgroundWork, store: PatientStore, notifier: LinkageNotifier): Stop {
  return repeated(
    INTERVAL_MS,
    (isStopped) =>
      standingRound(work.standing, "deliver-notifications", async (problem) => {
        const { delivered } = await deliverNotifications(
          deliveryTo(notifier, store, work, problem),
          isStopped,
        );
        return delivered;
      }),
    (error) => work.failures.note(error, "telling the WM service failed"),
  );
}

/** Sends changed contact data to the population register; answers with how to stop. */
export function startSendingContactData(
  work: BackgroundWork,
  store: PatientStore,
  population: PopulationRegister,
): Stop {
  return repeated(
    INTERVAL_MS,
    (isStopped) =>
      standingRound(work.standing, "deliver-notifications", async (problem) => {
        const { sent } = await sendContactData(sendingTo(population, store, work, problem), isStopped);
        return sent;
      }),
    (error) => work.failures.note(error, "sending contact data failed"),
  );
}

/**
 * Gives keys to patients who were stored before there were any, batch after batch with pauses for others; answers with
 * how to stop.
 */
export function startFillingBlockKeys({ database, failures }: BackgroundWork): Stop {
  const holder = randomUUID();
  let state: "done" | "more" | "elsewhere" = "more";
  return repeated(
    INTERVAL_MS,
    async (isStopped) => {
      if (state === "elsewhere") state = "more";
      while (state === "more" && !isStopped()) {
        state = await backfillBlockKeys(database, holder, now());
        await sleep(BACKFILL_PAUSE_MS);
      }
    },
    (error) => failures.note(error, "filling block keys failed"),
  );
}

/** Removes answers of registers that are kept no longer; answers with how to stop. */
export function startPurging({ database, log, standing }: BackgroundWork): Stop {
  return repeated(
    PURGE_INTERVAL_MS,
    // It deletes all of them at once, however many.
    () =>
      underSignal(AbortSignal.timeout(PURGE_INTERVAL_MS), () =>
        standingRound(standing, "purge-cache", () => purgeAnswers(database, now())),
      ),
    (error) => log.error({ causes: causesOf(error) }, "purging answers of registers failed"),
  );
}

function now(): Date {
  return new Date();
}
