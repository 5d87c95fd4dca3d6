import { ConnectError } from "@connectrpc/connect";
import { type ErrorIssue, inBundleEntry, MpiError, refuseFor } from "../../../src/errors/index.ts";
import { coreErrorAt } from "../../outcome/named-anew.ts";
import type { AnsweredEntry, BegunEntry, FailedEntry, WaitingEntry } from "./begun-entry.ts";

/** The entries, all of them; refuses a transaction for all that is wrong with any before the core is asked. */
export function soundEntries(begun: readonly BegunEntry[]): (WaitingEntry | AnsweredEntry)[] {
  const failed = begun.filter((one) => "error" in one);
  refuseFor(failed.flatMap(ownIssues));
  for (const { entry, error } of failed) throw placedError(error, entry.place);
  return begun.filter((one) => "answer" in one);
}

function ownIssues({ entry, error }: FailedEntry): ErrorIssue[] {
  if (!(error instanceof MpiError)) return [];
  return error.issues.map((issue) =>
    "meaning" in issue
      ? { ...issue, expression: inBundleEntry(issue.expression ?? [], entry.place, "url") }
      : issue,
  );
}

/** What the core says of an entry that was prepared with its help. */
function placedError(error: unknown, place: number): unknown {
  if (!(error instanceof ConnectError)) return error;
  return coreErrorAt(error, (expressions) => inBundleEntry(expressions, place, "url"));
}
