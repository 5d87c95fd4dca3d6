import type { Meaning } from "./catalogue/catalogue.ts";
import {
  type ErrorIssue,
  type ErrorIssues,
  type Fault,
  type FaultArguments,
  type FaultOptions,
  isFault,
  issueName,
} from "./fault.ts";

/** Where the error came from: for the log, never shown. */
export interface CauseOption {
  readonly cause?: unknown;
}

/**
 * A call that failed or is refused, with everything that is wrong with it.
 * Its message names meanings and codes only, each once and no values, so that it can be logged as it is.
 */
export class MpiError<M extends Meaning = Meaning> extends Error {
  override readonly name = "MpiError";
  readonly issues: ErrorIssues;

  /** One fault, whose texts demand the parameters. Several issues: `MpiError.of`. */
  constructor(what: M | ErrorIssues, ...rest: FaultArguments<M, FaultOptions<M> & CauseOption>) {
    const [parameters, { cause, ...options } = {}] = rest;
    const issues: ErrorIssues =
      typeof what === "string"
        ? [{ meaning: what, parameters: parameters ?? {}, ...options } as Fault]
        : what;
    super([...new Set(issues.map(issueName))].join(", "), cause === undefined ? undefined : { cause });
    this.issues = issues;
  }

  /**
   * Several issues: all the faults of a body side by side, or the chain of a register's error from the
   * index's own issue to the register's.
   */
  static of(issues: ErrorIssues, options: CauseOption = {}): MpiError {
    return new MpiError<never>(issues, {}, options);
  }

  /** Whether one of its issues is a fault of that meaning. */
  says(meaning: Meaning): boolean {
    return this.issues.some((issue) => isFault(issue) && issue.meaning === meaning);
  }
}

/** The error itself when it is one of ours; anything else is unexpected: an internal error, caused by it. */
export function asMpiError(error: unknown): MpiError {
  return error instanceof MpiError ? error : new MpiError("INTERNAL_ERROR", {}, { cause: error });
}

/** Refuses a call for all these faults at once; does nothing when there are none. */
export function refuseFor(faults: readonly ErrorIssue[], options: CauseOption = {}): void {
  const [first, ...others] = faults;
  if (first !== undefined) throw MpiError.of([first, ...others], options);
}

/** What something at fault is called elsewhere; undefined where it has no name there. */
export type Rename = (expression: string) => string | undefined;

/** The same error with what is at fault named in other words; any other error as it is. */
export function atElements(error: unknown, rename: Rename): unknown {
  if (!(error instanceof MpiError)) return error;
  const [first, ...others] = error.issues.map((issue) =>
    isFault(issue) && issue.expression ? { ...issue, expression: renamed(issue.expression, rename) } : issue,
  );
  return first ? MpiError.of([first, ...others], { cause: error }) : error;
}

/** All that an error names as being at fault. */
export function expressionsOf({ issues }: MpiError): string[] {
  return issues.flatMap((issue) => (isFault(issue) ? (issue.expression ?? []) : []));
}

export function renamed(expressions: readonly string[], rename: Rename): string[] {
  return expressions.map(rename).filter((expression) => expression !== undefined);
}
