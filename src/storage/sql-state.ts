export const UNIQUE_VIOLATION = "23505";

/** The SQLSTATE that the database refused a statement with, wherever the driver adapter put it. */
export function sqlState(error: unknown): string | undefined {
  const adapterError = (error as { meta?: { driverAdapterError?: unknown } } | undefined)?.meta
    ?.driverAdapterError;
  const cause = (adapterError as { cause?: { originalCode?: unknown } } | undefined)?.cause;
  return typeof cause?.originalCode === "string" ? cause.originalCode : undefined;
}
