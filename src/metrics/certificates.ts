import type { Logger } from "pino";
import { type Metrics, observe } from "./metrics.ts";

/** A certificate that a process works with. */
export interface WatchedCertificate {
  /** The setting that names its file. */
  readonly setting: string;
  readonly beginsAt: Date;
  readonly endsAt: Date;
}

const DAY_MS = 86_400_000;
const SOON_MS = 30 * DAY_MS;

/**
 * Tells of the times of certificates: the log now and once a day, of those that are not good yet, or not for long, or no more;
 * the metrics of all ends.
 * Answers with how to stop.
 */
export function watchCertificates(
  certificates: readonly WatchedCertificate[],
  { log, metrics }: { readonly log: Pick<Logger, "warn" | "error">; readonly metrics?: Metrics | undefined },
): () => Promise<void> {
  if (metrics) {
    observe(metrics, {
      name: "mpi_certificate_expiry_timestamp_seconds",
      help: "When the first certificate in the file of a setting expires, in seconds since 1970.",
      labels: ["setting"],
      values: () => certificates.map(({ setting, endsAt }) => [{ setting }, endsAt.getTime() / 1000]),
    });
  }
  const look = () => {
    for (const certificate of certificates) tellOfTimes(certificate, log);
  };
  look();
  const timer = setInterval(look, DAY_MS).unref();
  return async () => clearInterval(timer);
}

function tellOfTimes(
  { setting, beginsAt, endsAt }: WatchedCertificate,
  log: Pick<Logger, "warn" | "error">,
): void {
  const left = endsAt.getTime() - Date.now();
  const details = { setting, endsAt: endsAt.toISOString() };
  if (beginsAt.getTime() > Date.now())
    log.warn({ setting, beginsAt: beginsAt.toISOString() }, "a certificate is not valid yet");
  if (left <= 0) log.error(details, "a certificate has expired");
  else if (left < SOON_MS) log.warn(details, "a certificate expires soon");
}
