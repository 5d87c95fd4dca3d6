import { Code, ConnectError } from "@connectrpc/connect";
import type { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import { MpiError } from "../../../src/errors/index.ts";
import { withRelativeReferences } from "../../../src/references/index.ts";
import { present, type StoredResource } from "../../exchange/answer.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import type { Parameter } from "../../exchange/query.ts";
import { createUnderCondition } from "./creating-under-condition.ts";
import type { StoredType } from "./stored-type.ts";

/** The one resource that fits the criteria of a write; undefined when none does, 412 when several do. */
export async function onlyMatch<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
  parameters: readonly Parameter[],
  write: ChangeInteraction,
): Promise<Resource | undefined> {
  const search = { parameters: withRelativeReferences(parameters, request), condition: true, write };
  const { resources, totalSize } = await type.calls.search(request.gateway.core, search, request.call);
  if (totalSize > 1n) throw new MpiError("CONDITION_NOT_SELECTIVE");
  return resources[0];
}

/** What a write came to that stores a new resource only where none fits. */
export type Creation<Resource> = { readonly created: Resource } | { readonly existing: Resource };

/**
 * Stores a new resource unless one fits the criteria already, which is given back then. Of two that do this at once
 * one stores: the database refuses the other of two patients, and what lies with a patient is stored under its lock.
 */
export async function creatingOnce<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest,
  criteria: readonly Parameter[],
  write: ChangeInteraction,
  given: () => Resource,
): Promise<Creation<Resource>> {
  const before = await onlyMatch(type, request, criteria, write);
  if (before !== undefined) return { existing: before };
  if (type.liesWithPatient) {
    const { resource, isNew } = await createUnderCondition(type, request, given(), criteria);
    return isNew ? { created: resource } : { existing: resource };
  }
  try {
    return { created: present(await type.calls.create(request.gateway.core, given(), request.call)) };
  } catch (error) {
    if (!(error instanceof ConnectError) || error.code !== Code.AlreadyExists) throw error;
    const meanwhile = await onlyMatch(type, request, criteria, write);
    if (meanwhile === undefined) throw error;
    return { existing: meanwhile };
  }
}
