import { ConnectError } from "@connectrpc/connect";
import { type ErrorIssue, inBundleEntry, MpiError, refuseFor } from "../../../src/errors/index.ts";
import { coreErrorAt } from "../../outcome/named-anew.ts";
import type { Begun } from "./begun-entry.ts";

type Failed = Extract<Begun, { readonly error: unknown }>;

/** Refuses a transaction for all that is wrong with its entries before the core is asked. */
export function refuseFailed(begun: readonly Begun[]): void {
  const failed = begun.filter((one): one is Failed => "error" in one);
  refuseFor(failed.flatMap(ownIssues));
  for (const { entry, error } of failed) throw placedError(error, entry.place);
}

function ownIssues({ entry, error }: Failed): ErrorIssue[] {
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
