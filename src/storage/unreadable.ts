import { MpiError } from "../errors/index.ts";

/** Whether a record does not open (MPI-003): a fault of that record alone. */
export function isUnreadable(cause: unknown): cause is MpiError {
  return (
    cause instanceof MpiError &&
    cause.issues.some((issue) => "meaning" in issue && issue.meaning === "INDEX_DECRYPTION_FAILED")
  );
}
