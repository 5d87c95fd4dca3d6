import { databaseUrl, integer, optional, setting } from "./setting.ts";

/** Settings of background jobs. */
export const jobsSettings = {
  jobsDatabaseUrl: setting(
    "MPI_JOBS_DATABASE_URL",
    optional(databaseUrl),
    undefined,
    "PostgreSQL that the queue of background jobs lies in; one server, also where the index is on a cluster.",
    "the database of the index",
  ),
  refreshRate: setting(
    "MPI_REFRESH_RATE",
    integer(1, 10_000),
    20,
    "Questions a second that the job refresh-from-register asks the population register at most: one for each patient, and one for each code that took the place of the patient's.",
  ),
} as const;
