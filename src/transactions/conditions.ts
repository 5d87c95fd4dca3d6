import { create, type Message } from "@bufbuild/protobuf";
import { type SearchParameter, SearchParameterSchema } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { noteLook } from "../call/current-call.ts";
import { parseDependentId } from "../dependents/index.ts";
import { MpiError } from "../errors/index.ts";
import { type Reached, withRelativeReferences } from "../references/index.ts";
import type { Entry, MethodName, ResourceType } from "./entries.ts";
import { resourcesFound, resourceTypes } from "./resource-types.ts";

/** Does one request, as if it were sent alone. */
export type Perform = (method: MethodName, request: Message) => Promise<Message>;

/** An entry whose condition was looked at. */
export interface Decided {
  readonly entry: Entry;
  /** The id of what is there already, which a creation gives back; "nothing" when there is nothing to delete. */
  readonly settled?: { readonly existing: string } | "nothing";
}

const CONDITIONAL = /^(Patient|RelatedPerson|Observation)\?(.+)$/;

/** What an entry with criteria comes to; one without stays as it is. */
export async function decideCondition(perform: Perform, entry: Entry): Promise<Decided> {
  const { criteria, type, verb } = entry;
  if (criteria.length === 0 || verb === "read") return { entry };
  const [match, another] = await idsOf(perform, type, criteria);
  if (another !== undefined) throw new MpiError("CONDITION_NOT_SELECTIVE");
  if (verb === "create") return { entry, ...(match !== undefined && { settled: { existing: match } }) };
  if (match !== undefined) return { entry: { ...entry, id: match, request: named(entry, match) } };
  if (verb === "delete") return { entry, settled: "nothing" };
  return { entry: { ...entry, verb: "create", method: resourceTypes[type].create, criteria: [] } };
}

/**
 * The address of the resource that a reference such as `Patient?identifier=…` is to; undefined when none fits, or
 * several. Any other reference is none of this.
 */
export async function conditionalTarget(
  perform: Perform,
  reference: string,
  reached: Reached,
): Promise<string | undefined> {
  const { type, parameters } = parseConditional(reference);
  const criteria = withRelativeReferences(parameters, reached);
  const [match, another] = await idsOf(perform, type, criteria);
  return match === undefined || another !== undefined ? undefined : `${type}/${match}`;
}

export function isConditional(reference: string): boolean {
  return CONDITIONAL.test(reference);
}

/** Ids of what fits, two at the most. The patients are looked at, whatever becomes of what depends on them. */
export async function idsOf(
  perform: Perform,
  type: ResourceType,
  parameters: readonly SearchParameter[],
): Promise<string[]> {
  const request = { parameters: [...parameters], pageSize: 2, pageToken: "", lenient: false };
  const response = await perform(resourceTypes[type].search, request as unknown as Message);
  const ids = resourcesFound(type, response).flatMap(({ id }) => id ?? []);
  for (const id of ids) {
    const patientId = type === "Patient" ? BigInt(id) : parseDependentId(id)?.patientId;
    if (patientId !== undefined) noteLook(patientId);
  }
  return ids;
}

function parseConditional(reference: string) {
  const [, type = "", query = ""] = CONDITIONAL.exec(reference) ?? [];
  const parameters = [...new URLSearchParams(query)].map(([name, value]) =>
    create(SearchParameterSchema, { name, value }),
  );
  return { type: type as ResourceType, parameters };
}

function named({ request }: Entry, id: string): Message {
  return { ...request, id } as Message;
}
