import { untilAborted } from "../concurrency/until-aborted.ts";

/** Runs work that is told to stop at a deadline, and fails then even when the work does not stop. */
export async function withDeadline<T>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(milliseconds);
  return await untilAborted(work(signal), signal);
}

/** Whether work failed because its deadline passed. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}
