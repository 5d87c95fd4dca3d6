/**
 * What sessions of the service are called in pg_stat_activity (application_name), so that an operator sees who holds a
 * lock. By what they are for and not by their process, which has its address there: PgBouncer would rename its sessions
 * with each change of hands. A name in the address of the database (`?application_name=…`) or in PGAPPNAME goes before; for
 * the queue the former alone.
 */
export const SESSION_NAMES = {
  service: "patient-index",
  loads: "patient-index loads",
  jobQueue: "patient-index queue of jobs",
  migrations: "patient-index migrations",
} as const;
