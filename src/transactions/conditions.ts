import { create, type Message } from "@bufbuild/protobuf";
import { type SearchParameter, SearchParameterSchema } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { noteLook } from "../call/current-call.ts";
import { parseDependentId } from "../dependents/index.ts";
import { MpiError } from "../errors/index.ts";
import { type Reached, withRelativeReferences } from "../references/index.ts";
import type { Entry, MethodName, ResourceType } from "./entries.ts";
import { foundBy, resourceTypes } from "./resource-types.ts";

/** Does one request, as if it were sent alone. */
export type Perform = (method: MethodName, request: Message) => Promise<Message>;

/** An entry whose condition was looked at. */
export interface Decided {
  readonly entry: Entry;
  /** The id of what is there already, which a creation gives back; "nothing" when there is nothing to delete. */
  readonly settled?: { readonly existing: string } | "nothing";
  /** The update that the entry is a creation for, as nothing fits its criteria yet. */
  readonly update?: Entry;
}

const CONDITIONAL = /^(Patient|RelatedPerson|Observation)\?(.+)$/;

/** What an entry with criteria comes to; one without stays as it is. */
export async function decideCondition(perform: Perform, entry: Entry): Promise<Decided> {
  const { criteria, type, verb } = entry;
  if (criteria.length === 0 || verb === "read") return { entry };
  const { total, id } = await meantBy(perform, type, criteria);
  if (total > 1) throw new MpiError("CONDITION_NOT_SELECTIVE");
  if (verb === "create") return { entry, ...(id !== undefined && { settled: { existing: id } }) };
  if (id !== undefined) return { entry: aimedAt(entry, id) };
  if (verb === "delete") return { entry, settled: "nothing" };
  if (entry.mustExist) throw new MpiError("CONDITION_FITS_NOTHING", {}, { expression: ["http.if-match"] });
  return { entry: { ...entry, verb: "create", method: resourceTypes[type].create }, update: entry };
}

/** An entry with criteria as one that names what fits them. */
export function aimedAt(entry: Entry, id: string): Entry {
  return { ...entry, id, request: { ...entry.request, id } as Message };
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
  const { total, id } = await meantBy(perform, type, withRelativeReferences(parameters, reached));
  return total === 1 ? `${type}/${id}` : undefined;
}

export function isConditional(reference: string): boolean {
  return CONDITIONAL.test(reference);
}

/** What criteria mean. */
export interface Meant {
  /** How many resources. */
  readonly total: number;
  /** Of the first of them. */
  readonly id?: string;
}

/** Looks for what criteria mean. The patients are looked at, whatever becomes of what depends on them. */
export async function meantBy(
  perform: Perform,
  type: ResourceType,
  parameters: readonly SearchParameter[],
): Promise<Meant> {
  const paging = { pageSize: 0, pageToken: "", lenient: false };
  const request = { parameters: [...parameters], ...paging, condition: true };
  const response = await perform(resourceTypes[type].search, request as unknown as Message);
  const { resources, total } = foundBy(type, response);
  const ids = resources.flatMap(({ id }) => id ?? []);
  for (const id of ids) {
    const patientId = type === "Patient" ? BigInt(id) : parseDependentId(id)?.patientId;
    if (patientId !== undefined) noteLook(patientId);
  }
  const [id] = ids;
  return { total, ...(id !== undefined && { id }) };
}

function parseConditional(reference: string) {
  const [, type = "", query = ""] = CONDITIONAL.exec(reference) ?? [];
  const parameters = [...new URLSearchParams(query)].map(([name, value]) =>
    create(SearchParameterSchema, { name, value }),
  );
  return { type: type as ResourceType, parameters };
}
