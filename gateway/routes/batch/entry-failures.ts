import { ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "#proto/google/rpc/error_details_pb.ts";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { type ErrorIssue, inBundleEntry, MpiError, refuseFor } from "../../../src/errors/index.ts";
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
  const parameters = entry.method === "POST" ? "ifNoneExist" : "url";
  return error.issues.map((issue) =>
    "meaning" in issue
      ? { ...issue, expression: inBundleEntry(issue.expression ?? [], entry.place, parameters) }
      : issue,
  );
}

/** What the core says of an entry that was prepared with its help. */
function placedError(error: unknown, place: number): unknown {
  if (!(error instanceof ConnectError)) return error;
  const [details] = error.findDetails(ErrorDetailsSchema);
  const [info] = error.findDetails(ErrorInfoSchema);
  if (!details || !info) return error;
  const issues = details.issues.map((issue) => ({
    ...issue,
    expressions: inBundleEntry(issue.expressions, place, "url"),
  }));
  const outgoing = [
    { desc: ErrorDetailsSchema, value: { ...details, issues } },
    { desc: ErrorInfoSchema, value: info },
  ];
  return new ConnectError(error.rawMessage, error.code, undefined, outgoing, error);
}
