import type { CurrentCall } from "../call/current-call.ts";
import type { AuditContent } from "./entry.ts";

type Caller = NonNullable<CurrentCall["caller"]>;

/** What every entry of a call says, whosever data it met. */
export function contentOfCall(
  call: Pick<CurrentCall, "method" | "requestId" | "caller">,
): Omit<AuditContent, "action"> {
  const { method, requestId, caller } = call;
  return { method, requestId, ...(caller && { actor: actorOf(caller), issue: caller.issue }) };
}

function actorOf({ personalCode, name, role, organization, application, represented }: Caller) {
  return { personalCode, name, role, organization, application, represented };
}
