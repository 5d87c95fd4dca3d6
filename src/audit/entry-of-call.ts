import type { KnownOfCaller } from "../call/caller.ts";
import type { CurrentCall } from "../call/current-call.ts";
import type { AuditAction, AuditActor, AuditContent } from "./entry.ts";
import { actionOf } from "./method.ts";

/** What is needed of a call to say who asked for what; of a caller who was refused as such not all is known. */
type RecordedCall = Pick<CurrentCall, "method" | "requestId"> & {
  readonly caller: KnownOfCaller | undefined;
};

/** What an entry of a call says, whosever data it met. */
export function contentOfCall(
  { method, requestId, caller }: RecordedCall,
  action: AuditAction,
): AuditContent {
  return { action, method, requestId, actor: caller && actorOf(caller), issue: caller?.issue };
}

/** The same with what the method does to the data that the call met. */
export function contentByMethod(call: RecordedCall): AuditContent {
  return contentOfCall(call, actionOf(call.method));
}

/** Each member is named, known or not: one that is forgotten would be of nobody. */
type Known<Actor> = { readonly [Member in keyof Actor]-?: Actor[Member] | undefined };

/** undefined when nothing is known. */
function actorOf(caller: KnownOfCaller): AuditActor | undefined {
  const { personalCode, name, role, organization, application, represented } = caller;
  const actor: Known<AuditActor> = { personalCode, name, role, organization, application, represented };
  return Object.values(actor).some((said) => said !== undefined) ? actor : undefined;
}
