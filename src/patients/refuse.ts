import { type ErrorIssue, MpiError } from "../errors/index.ts";

/** Refuses the call with everything that was found wrong, if anything was. */
export function refuseIfAny(faults: readonly ErrorIssue[]): void {
  const [first, ...others] = faults;
  if (first) throw MpiError.of([first, ...others]);
}
