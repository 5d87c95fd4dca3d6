import type { Reference } from "#proto/patientindex/v1/datatypes_pb.ts";
import { parseDependentId } from "../dependents/index.ts";
import { referredTo } from "../references/index.ts";
import { patientNumber } from "../resources/index.ts";
import { addressOf, isOfEntry, outsideReference, type Stored } from "./addresses.ts";
import type { Entry } from "./entries.ts";
import { resourceIn, resourceTypes } from "./resource-types.ts";

/** The patients whose rows a write needs, as far as they are known before it. */
export function patientsOf(entry: Entry, stored: Stored): bigint[] {
  const { type, verb, id } = entry;
  if (verb === "read") return [];
  if (type === "Patient") return numbered(id);
  const own = parseDependentId(id);
  if (own) return [own.patientId];
  const target = referredTo({ reference: addressOfPatient(entry, stored) });
  return target?.type === "Patient" ? numbered(target.id) : [];
}

/** The patient that a resource is to lie with, as its entry names it. */
export function patientNamedBy({ type, request }: Entry): Reference | undefined {
  const resource = resourceIn(type, request);
  return resource && resourceTypes[type].patientOf(resource);
}

/** Undefined while that patient has no address. */
function addressOfPatient(entry: Entry, stored: Stored): string | undefined {
  const { reference } = patientNamedBy(entry) ?? {};
  if (reference === undefined) return undefined;
  return isOfEntry(reference, entry, stored)
    ? addressOf(reference, entry, stored)
    : outsideReference(reference, entry, stored);
}

function numbered(id: string): bigint[] {
  const number = patientNumber(id);
  return number === undefined ? [] : [number];
}
