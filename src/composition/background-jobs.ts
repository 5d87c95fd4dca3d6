import type { Logger } from "pino";
import { underNoSignal } from "../call/current-call.ts";
import { causesOf, type MpiError } from "../errors/index.ts";
import { checkIndex, reencryptIndex } from "../index-maintenance/index.ts";
import {
  type JobKey,
  type JobLog,
  type JobRun,
  type Jobs,
  type JobType,
  type JobWork,
  jobId,
  startRunner,
} from "../jobs/index.ts";
import { deliverAllNow } from "../linkage/index.ts";
import { duplicateScan } from "../matching/index.ts";
import {
  type PatientStore,
  type RefreshingPatients,
  refreshPatients,
  sendAllContactDataNow,
} from "../patients/index.ts";
import type { Registers } from "../registers/ports.ts";
import {
  askKeys,
  type Database,
  duplicateStore,
  indexExamination,
  jobStore,
  keyRotations,
  matchStore,
  openJobQueue,
  purgeAnswers,
  registeredPatients,
} from "../storage/index.ts";
import {
  type BackgroundWork,
  backgroundWork,
  startFillingBlockKeys,
  startSendingContactData,
  startTelling,
} from "./background-work.ts";
import type { CoreParts } from "./core-parts.ts";
import { deliveryTo, sendingTo } from "./deliveries.ts";
import { problemDetails } from "./problem-details.ts";
import { type TraceWork, tracingWork } from "./tracing.ts";

/** Begins the standing work and the jobs; `stop` lets a round end, and gives back the jobs that run. */
export async function startJobs(
  parts: CoreParts,
): Promise<{ readonly jobs: Jobs; readonly stop: () => Promise<void> }> {
  const { storage, registers, settings, log, patients } = parts;
  const { url, database } = storage;
  const traceWork = tracingWork(parts.tracing);
  const work = backgroundWork(database, settings.errorSystems, log, traceWork);
  const queue = await openJobQueue({
    url: settings.jobsDatabaseUrl ?? url,
    onError: (error) => log.warn({ causes: causesOf(error) }, "the queue of jobs is in trouble"),
  });
  const jobs: Jobs = {
    store: jobStore(database),
    queue,
    works: new Map(Object.values(jobWorks(parts, work)).map((one) => [one.type, traced(one, traceWork)])),
    systems: settings.errorSystems,
    now,
    log: jobLog(log),
    // One that lacks the keys of the database by now would fail what another one can do.
    requireFit: () => askKeys(storage.keys),
  };
  const stops = [
    startTelling(work, patients, registers.linkage),
    startSendingContactData(work, patients, registers.population),
    startFillingBlockKeys(work),
    startRunner(jobs, (error, what) => work.failures.note(error, what)),
  ];
  const stop = async () => {
    await Promise.all(stops.map((stopOne) => stopOne()));
    await queue.close();
  };
  return { jobs, stop };
}

/** Each run of a job is a trace. */
function traced(work: JobWork, traceWork: TraceWork): JobWork {
  return { ...work, run: (given) => traceWork(`job ${work.type}`, () => work.run(given)) };
}

/** Problems in the log. */
function jobLog(log: Logger): JobLog {
  const details = (job: JobKey, error: MpiError) => ({
    job: jobId(job),
    ...problemDetails(error),
  });
  return {
    problem: (job, error) => log.warn(details(job, error), "a job found a problem"),
    failed: (job, error) => log.error(details(job, error), "a job failed"),
    unsent: (job, cause) =>
      log.warn(
        { job: jobId(job), causes: causesOf(cause) },
        "the queue did not take a job; it is sent again",
      ),
    refused: (type, error) => log.warn({ type, causes: causesOf(error) }, "the start of a job was refused"),
  };
}

/** What jobs can do in this build: the work of each type. */
function jobWorks(
  { storage, registers, settings, patients: store, intake }: CoreParts,
  work: BackgroundWork,
): { readonly [Type in JobType]: JobWork<Type> } {
  const { database, keys } = storage;
  const patients = registeredPatients(database);
  return {
    "reencrypt-index": reencryptIndex(keyRotations(storage)),
    "check-index": checkIndex(indexExamination(database, keys)),
    "scan-duplicates": duplicateScan({
      store: matchStore(database, keys),
      duplicates: duplicateStore(database),
      now,
    }),
    "deliver-notifications": deliverNotificationsWork(work, registers, store),
    "refresh-from-register": refreshFromRegisterWork({ intake, patients, rate: settings.refreshRate }),
    "purge-cache": purgeCacheWork(database),
  };
}

/**
 * Delivers what waits for the WM service and for the population register now, whether it is due or not. It ends between
 * two deliveries: none is cut off on its way, and the turn to deliver is given back.
 */
function deliverNotificationsWork(
  work: BackgroundWork,
  registers: Registers,
  store: PatientStore,
): JobWork<"deliver-notifications"> {
  return {
    type: "deliver-notifications",
    run: (run) =>
      underNoSignal(async () => {
        const problem = (error: MpiError) => void run.problem(error);
        const { delivered } = await deliverAllNow(
          deliveryTo(registers.linkage, store, work, problem),
          run.signal,
        );
        await run.report({ done: delivered });
        const sending = sendingTo(registers.population, store, work, problem);
        const { sent } = await sendAllContactDataNow(sending, run.signal);
        await run.report({ done: delivered + sent });
      }),
  };
}

/** Removes the answers of registers that are kept no longer. */
function purgeCacheWork(database: Database): JobWork<"purge-cache"> {
  return {
    type: "purge-cache",
    async run(run) {
      await run.report({ done: await purgeAnswers(database, now()) });
    },
  };
}

/** Brings known patients to what the population register says now. */
function refreshFromRegisterWork(refreshing: RefreshingPatients): JobWork<"refresh-from-register"> {
  return { type: "refresh-from-register", run: (run: JobRun) => refreshPatients(refreshing, run) };
}

function now(): Date {
  return new Date();
}
