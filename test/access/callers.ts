import type { Caller } from "../../src/call/caller.ts";

/** A caller with a role; what is given replaces the rest. */
export function callerWith(changes: Partial<Caller> & Pick<Caller, "role">): Caller {
  const personalCode = changes.personalCode ?? "46602140023";
  return {
    personalCode,
    name: undefined,
    author: personalCode,
    organization: "90000001",
    application: undefined,
    scopes: [],
    represented: undefined,
    issue: undefined,
    ...changes,
  };
}
