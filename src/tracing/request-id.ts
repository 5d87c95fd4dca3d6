import { randomUUID } from "node:crypto";

/** Visible ASCII, in one word: it is found again in logs, and short, as it stands in every entry of the trail. */
const ID = /^[\x21-\x7e]{1,200}$/;

/**
 * The id of a request, of those that it was given, the best first: the first that can be one, else a new one. Gateway
 * and core both go by it, so that the id that is answered is the one in all logs.
 */
export function requestIdOf(...given: readonly unknown[]): string {
  return given.find((id): id is string => typeof id === "string" && ID.test(id)) ?? randomUUID();
}
