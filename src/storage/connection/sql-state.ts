import pg from "pg";

export const UNIQUE_VIOLATION = "23505";
export const DEADLOCK_DETECTED = "40P01";
/** What whoever does not wait for a lock is told. */
export const LOCK_NOT_AVAILABLE = "55P03";
/** What a standby says to whoever writes. */
export const READ_ONLY = "25006";

/** What the driver adapter says of a failure: a kind of its own, and the SQLSTATE. */
interface AdapterCause {
  readonly kind?: unknown;
  readonly originalCode?: unknown;
}

interface PrismaError {
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: AdapterCause } };
  /** Of the adapter's own error, which a COMMIT ends with. */
  readonly cause?: AdapterCause;
}

/** What the driver adapter said, wherever Prisma put it. */
export function adapterCause(error: unknown): AdapterCause | undefined {
  const { meta, cause } = (error ?? {}) as PrismaError;
  return meta?.driverAdapterError?.cause ?? cause;
}

/** The SQLSTATE that the database refused a statement with, whichever way that went. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code;
  const code = adapterCause(error)?.originalCode;
  return typeof code === "string" ? code : undefined;
}
