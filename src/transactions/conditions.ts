import { create, type Message } from "@bufbuild/protobuf";
import { type SearchParameter, SearchParameterSchema } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { noteLook } from "../call/current-call.ts";
import { parseDependentId } from "../dependents/index.ts";
import { MpiError } from "../errors/index.ts";
import { type Reached, withRelativeReferences } from "../references/index.ts";
import { refuseOtherId, refuseVersions } from "../resources/index.ts";
import type { Entry, MethodName, ResourceType } from "./entries.ts";
import { type AnyResource, foundBy, ofVersion, resourceIn, resourceTypes } from "./resource-types.ts";

/** Does one request, as if it were sent alone. */
export type Perform = (method: MethodName, request: Message) => Promise<Message>;

/** An entry whose condition was looked at. */
export interface Decided {
  readonly entry: Entry;
  /** The id of what is there already, which a creation gives back. */
  readonly existingId?: string;
  /** A deletion of what is not there. */
  readonly hasNothingToDelete?: true;
  /** The update that the entry is a creation for, as nothing fits its criteria yet. */
  readonly update?: Entry;
}

const CONDITIONAL = /^(Patient|RelatedPerson|Observation)\?(.+)$/;

/** What an entry with criteria comes to; one without stays as it is. */
export async function decideCondition(perform: Perform, entry: Entry): Promise<Decided> {
  const { criteria, type, verb } = entry;
  if (criteria.length === 0 || verb === "read") return { entry };
  const { total, first } = await meantBy(perform, type, criteria);
  if (total > 1) throw new MpiError("CONDITION_NOT_SELECTIVE");
  if (verb === "create") return { entry, ...(first && { existingId: first.id }) };
  if (first) return { entry: aimedAt(entry, first) };
  if (verb === "delete") return { entry, hasNothingToDelete: true };
  if (entry.mustExist) throw new MpiError("CONDITION_FITS_NOTHING", {}, { expression: ["http.if-match"] });
  // Clients do not give ids: that of the body is one that nobody who fits has.
  refuseOtherId(type, "", resourceIn(type, entry.request) ?? {});
  return { entry: { ...entry, verb: "create", method: resourceTypes[type].create }, update: entry };
}

/**
 * An entry with criteria as one that names what fits them; ABORTED when that is at a version that it must not be at. One
 * that is held to other versions is for none but the version that was looked at.
 */
export function aimedAt(entry: Entry, { id, version }: Found): Entry {
  const { type, request, unwantedEtags } = entry;
  const aimed = { ...request, id } as Message;
  if (unwantedEtags.length === 0) return { ...entry, id, request: aimed };
  refuseVersions(version, unwantedEtags);
  return { ...entry, id, request: ofVersion(type, aimed, version.etag) };
}

/**
 * The address of the resource that a reference such as `Patient?identifier=…` is to; undefined when none fits, or
 * several. Undefined also for a reference of any other form.
 */
export async function conditionalTarget(
  perform: Perform,
  reference: string,
  reached: Reached,
): Promise<string | undefined> {
  const { type, parameters } = parseConditional(reference);
  const { total, first } = await meantBy(perform, type, withRelativeReferences(parameters, reached));
  return total === 1 ? `${type}/${first?.id}` : undefined;
}

export function isConditional(reference: string): boolean {
  return CONDITIONAL.test(reference);
}

/**
 * The criteria by which a conditional reference looks for a patient; undefined for one to anything else and for a reference
 * of any other form.
 */
export function patientCriteria(reference: string): readonly SearchParameter[] | undefined {
  if (!isConditional(reference)) return undefined;
  const { type, parameters } = parseConditional(reference);
  return type === "Patient" ? parameters : undefined;
}

/** What criteria mean. */
export interface Meant {
  /** How many resources. */
  readonly total: number;
  readonly first?: Found;
  /** The first of them, two at most. */
  readonly shown: readonly Found[];
}

export interface Found {
  readonly id: string;
  readonly version: AnyResource;
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
  const found = resources.flatMap((version) =>
    version.id === undefined ? [] : [{ id: version.id, version }],
  );
  for (const { id } of found) {
    const patientId = type === "Patient" ? BigInt(id) : parseDependentId(id)?.patientId;
    if (patientId !== undefined) noteLook(patientId);
  }
  const [first] = found;
  return { total, shown: found, ...(first && { first }) };
}

function parseConditional(reference: string) {
  const [, type = "", query = ""] = CONDITIONAL.exec(reference) ?? [];
  const parameters = [...new URLSearchParams(query)].map(([name, value]) =>
    create(SearchParameterSchema, { name, value }),
  );
  return { type: type as ResourceType, parameters };
}
