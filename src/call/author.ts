import { AsyncLocalStorage } from "node:async_hooks";
import { create } from "@bufbuild/protobuf";
import { type Author, AuthorSchema } from "#proto/patientindex/v1/author_pb.ts";
import { currentCall } from "./current-call.ts";

const registers = new AsyncLocalStorage<string>();

const names = new AsyncLocalStorage<Author>();

/** Runs background work in the name of whoever caused it; where that is not known, in nobody's. */
export function inNameOf<T>(author: Author | undefined, work: () => T): T {
  return author ? names.run(author, work) : work();
}

/** The headers that say in whose name background work asks others, and why. */
export function nameHeaders(): Readonly<Record<string, string>> {
  const { personalCode = "", reason = "" } = names.getStore() ?? {};
  return {
    ...(personalCode && { "x-road-userid": `EE${personalCode}` }),
    ...(reason && { "x-road-issue": encodeURIComponent(reason) }),
  };
}

/** Runs work whose writes have a register as their author, whoever asked for it; `register` is its URI. */
export function writtenByRegister<T>(register: string, work: () => T): T {
  return registers.run(register, work);
}

/** Who is the author of what is written now: a register, else the author of the call; undefined where neither is known. */
export function currentAuthor(): Author | undefined {
  const register = registers.getStore();
  if (register !== undefined) return create(AuthorSchema, { register });
  const caller = currentCall()?.caller;
  if (!caller) return undefined;
  const { author: personalCode, organization, role, issue: reason = "" } = caller;
  return create(AuthorSchema, { personalCode, organization, role, reason });
}
