import type { Message } from "@bufbuild/protobuf";
import type { Perform } from "./conditions.ts";
import type { MethodName } from "./entries.ts";
import { resourceIn, resourceTypes, withResource } from "./resource-types.ts";

/** What was done for an entry: which method gave which response. */
export interface Result {
  readonly method: MethodName;
  readonly response: Message;
}

/**
 * The results, by place, with changed primaries as they are in the end: what other members of their groups were given made
 * a further version of them. Takes the primary of each locked patient who is in a group.
 */
export async function asLeft(
  perform: Perform,
  results: ReadonlyMap<number, Result>,
  primaryOf: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<number, Result>> {
  const changed = [...results].flatMap(([place, result]) => {
    const id = result.method === "updatePatient" ? resourceIn("Patient", result.response)?.id : undefined;
    return id === undefined ? [] : [{ place, result, id }];
  });
  const outdated = new Set(
    changed.flatMap(({ id }) => (primaryOf.get(id) === id ? [] : (primaryOf.get(id) ?? []))),
  );
  const left = new Map(results);
  for (const { place, result, id } of changed) {
    if (outdated.has(id)) left.set(place, await readAnew(perform, result, id));
  }
  return left;
}

async function readAnew(perform: Perform, { method, response }: Result, id: string): Promise<Result> {
  const request = { id, elements: [] } as unknown as Message;
  const patient = resourceIn("Patient", await perform(resourceTypes.Patient.read, request));
  return { method, response: patient ? withResource("Patient", response, patient) : response };
}
