import type { Message } from "@bufbuild/protobuf";
import type { Perform } from "./conditions.ts";
import type { Entry, MethodName, ResourceType } from "./entries.ts";
import { resourceIn, resourceTypes, withResource } from "./resource-types.ts";

/** What was done for an entry: which method gave which response. */
export interface Result {
  readonly method: MethodName;
  readonly response: Message;
}

/** What an entry wrote, or found where it would have created. */
interface Left {
  readonly place: number;
  readonly type: ResourceType;
  readonly id: string;
  readonly result: Result;
}

/**
 * The results of the entries, by place, with what they speak of as it is in the end. What a creation finds may be
 * changed after it, and what other members of its group are given makes a further version of a primary. Takes the
 * primary of each locked patient who is in a group.
 */
export async function asLeft(
  perform: Perform,
  entries: readonly Entry[],
  results: ReadonlyMap<number, Result>,
  primaryOf: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<number, Result>> {
  const left = entries.flatMap((entry) => leftBy(entry, results.get(entry.place)) ?? []);
  const changed = left.filter(({ type, result }) => result.method === resourceTypes[type].update);
  const changedLater = new Set(changed.map(addressOf));
  const primaries = new Set(changed.flatMap((one) => otherPrimary(one, primaryOf)));
  const inTheEnd = new Map(results);
  for (const one of left) {
    const isFound = one.result.method === resourceTypes[one.type].read;
    const isOutdated = primaries.has(addressOf(one)) || (isFound && changedLater.has(addressOf(one)));
    if (isOutdated) inTheEnd.set(one.place, await readAnew(perform, one));
  }
  return inTheEnd;
}

/** Reads are done when all is as it is in the end. */
function leftBy({ place, type, verb }: Entry, result: Result | undefined): Left | undefined {
  const id = result && verb !== "read" ? resourceIn(type, result.response)?.id : undefined;
  return result && id !== undefined ? { place, type, id, result } : undefined;
}

function addressOf({ type, id }: Left): string {
  return `${type}/${id}`;
}

/** The primary that shows what another member of its group was given. */
function otherPrimary({ type, id }: Left, primaryOf: ReadonlyMap<string, string>): string[] {
  const primary = type === "Patient" ? primaryOf.get(id) : undefined;
  return primary === undefined || primary === id ? [] : [`Patient/${primary}`];
}

async function readAnew(perform: Perform, { type, id, result }: Left): Promise<Result> {
  const { method, response } = result;
  const request = { id, elements: [] } as unknown as Message;
  const resource = resourceIn(type, await perform(resourceTypes[type].read, request));
  return { method, response: resource ? withResource(type, response, resource) : response };
}
