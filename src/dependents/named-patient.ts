import { create } from "@bufbuild/protobuf";
import { type Reference, ReferenceSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Fault, fault } from "../errors/index.ts";
import { identifierTokenOf } from "../identifiers/index.ts";
import { isReferring, mayBeToPatient, referredTo } from "../references/index.ts";
import { patientNumber } from "../resources/index.ts";
import type { DependentIndex } from "./dependent-index.ts";
import type { Dependent, PatientDirectory } from "./ports.ts";

/** The patient that a body names; a fault when it names none; nothing when the rules will miss the reference. */
export type NamedPatient = { readonly id: bigint } | { readonly fault: Fault } | undefined;

/** Looks up the patient of a body: by address, else by identifier. */
export async function namedPatient<Resource extends Dependent>(
  { kind, patients }: DependentIndex<Resource>,
  given: Resource,
): Promise<NamedPatient> {
  const path = `${kind.type}.${kind.patientElement}`;
  const reference = kind.patientOf(given);
  if (!reference || !isReferring(reference)) return undefined;
  if (!mayBeToPatient(reference)) return { fault: wrongReference(path) };
  if (reference.reference === undefined) return await holderOf(patients, reference, path);
  const target = referredTo(reference);
  if (target?.type !== "Patient") return { fault: wrongReference(path) };
  const id = patientNumber(target.id);
  return id === undefined ? { fault: nobody(path) } : { id };
}

async function holderOf(
  patients: PatientDirectory,
  { identifier }: Reference,
  path: string,
): Promise<NamedPatient> {
  const param = `${path}.identifier`;
  const token = identifier && identifierTokenOf(identifier);
  const [first, second] = token ? await patients.holders([token]) : [];
  if (first === undefined) return { fault: fault("IDENTIFIER_OF_NOBODY", { param }, at(param)) };
  if (second !== undefined) return { fault: fault("IDENTIFIER_OF_SEVERAL", { param }, at(param)) };
  return { id: first };
}

/** There is no patient by the id that an element refers to (MPI-021). */
export function nobody(path: string): Fault {
  return fault("PATIENT_NOT_FOUND", {}, at(path));
}

/** The reference is to something else than it must be to (MPI-096). */
export function wrongReference(path: string): Fault {
  return fault("REFERENCE_INVALID", { element: path }, at(path));
}

/** The reference in its stored form: relative and to no version, whatever else it says kept. */
export function storedReference(given: Reference | undefined, patientId: bigint): Reference {
  return { ...(given ?? create(ReferenceSchema)), reference: `Patient/${patientId}` };
}

function at(path: string): { expression: string[] } {
  return { expression: [path] };
}
