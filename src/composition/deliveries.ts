// What other services are told, and how: links to the WM service, contact data to the population register.

import type { Logger } from "pino";
import { causesOf, type MpiError } from "../errors/index.ts";
import { type Delivery, synchronousTeller, type Telling } from "../linkage/index.ts";
import type { ContactDataSending, PatientStore } from "../patients/index.ts";
import type { LinkageNotifier, PopulationRegister } from "../registers/ports.ts";
import { contactDataQueue, type Database, databaseTime, notificationQueue } from "../storage/index.ts";
import { problemDetails } from "./problem-details.ts";
import type { TraceWork } from "./tracing.ts";

/** Where deliveries wait, and where they are told of. */
export interface DeliveringWork {
  readonly database: Database;
  readonly log: Logger;
  /** Each delivery is told in a trace. */
  readonly traceWork: TraceWork;
}

type Problem = (error: MpiError) => void;

/** When the WM service is told of a link, by MPI_WM_MODE. */
export function tellingOf(mode: "outbox" | "sync", notifier: LinkageNotifier, log: Logger): Telling {
  if (mode === "outbox") return "outbox";
  return synchronousTeller(notifier, (error) =>
    log.error({ causes: causesOf(error) }, "WM notification not taken back"),
  );
}

/** The delivery of what waits for the WM service. */
export function deliveryTo(
  notifier: LinkageNotifier,
  { authorOf }: Pick<PatientStore, "authorOf">,
  { database, log, traceWork }: DeliveringWork,
  problem: Problem,
): Delivery {
  const onFailure = (error: MpiError) => {
    log.warn(problemDetails(error), "WM service not told (MPI-039)");
    problem(error);
  };
  const traced: LinkageNotifier = {
    ...notifier,
    notify: (...given) => traceWork("deliver linkage-notification", () => notifier.notify(...given)),
  };
  return {
    queue: notificationQueue(database),
    notifier: traced,
    authorOf,
    now: () => databaseTime(database),
    onFailure,
  };
}

/** The sending of what waits for the population register. */
export function sendingTo(
  population: PopulationRegister,
  store: PatientStore,
  { database, log, traceWork }: DeliveringWork,
  problem: Problem,
): ContactDataSending {
  const onFailure = (error: MpiError) => {
    log.warn(problemDetails(error), "contact data not sent (XRR400)");
    problem(error);
  };
  const traced: PopulationRegister = {
    ...population,
    updateContactData: (given) =>
      traceWork("deliver contact-data", () => population.updateContactData(given)),
  };
  return {
    queue: contactDataQueue(database),
    store,
    population: traced,
    now: () => databaseTime(database),
    onFailure,
  };
}
