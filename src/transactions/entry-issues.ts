import { type ErrorIssue, inBundleEntry, MpiError } from "../errors/index.ts";
import type { Entry } from "./entries.ts";

/** What is wrong with a reference to an entry that failed itself is said there. */
export function withoutBlocked(
  error: unknown,
  faults: readonly ErrorIssue[],
  blocked: ReadonlySet<string>,
): unknown {
  if (!(error instanceof MpiError)) return error;
  const known = new Set(faults.flatMap((one) => ("meaning" in one ? (one.expression ?? []) : [])));
  const own = error.issues.filter(
    (issue) =>
      !faults.includes(issue) &&
      !(
        "meaning" in issue &&
        issue.meaning === "REFERENCE_INVALID" &&
        issue.expression?.some((path) => blocked.has(path) || known.has(path))
      ),
  );
  const [first, ...others] = [...faults, ...own];
  return first ? MpiError.of([first, ...others], { cause: error }) : new Blocked();
}

/** Nothing is wrong with an entry but that it refers to one that failed. */
export class Blocked extends Error {
  override readonly name = "Blocked";
}

/** What is wrong with an entry, with expressions that begin at its Bundle. */
export function placedIssue(issue: ErrorIssue, { place, verb }: Entry): ErrorIssue {
  if (!("meaning" in issue)) return issue;
  const expression = inBundleEntry(issue.expression ?? [], place, verb === "create" ? "ifNoneExist" : "url");
  return { ...issue, expression };
}
