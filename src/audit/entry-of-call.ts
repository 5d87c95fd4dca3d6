import type { KnownOfCaller } from "../call/caller.ts";
import type { CurrentCall } from "../call/current-call.ts";
import type { AuditActor, AuditContent } from "./entry.ts";

/** What every entry of a call says, whosever data it met. Of a caller who was refused as such not all is known. */
export function contentOfCall({
  method,
  requestId,
  caller,
}: Pick<CurrentCall, "method" | "requestId"> & { readonly caller: KnownOfCaller | undefined }): Omit<
  AuditContent,
  "action"
> {
  const actor = caller && actorOf(caller);
  return { method, requestId, ...(actor && { actor }), ...(caller && { issue: caller.issue }) };
}

/** undefined when nothing is known. */
function actorOf(caller: KnownOfCaller): AuditActor | undefined {
  const { personalCode, name, role, organization, application, represented } = caller;
  const actor = { personalCode, name, role, organization, application, represented };
  return Object.values(actor).some((member) => member !== undefined) ? actor : undefined;
}
