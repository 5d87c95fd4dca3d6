import type { Reference } from "#proto/patientindex/v1/datatypes_pb.ts";

const LITERAL = /(?:^|\/)([A-Z][A-Za-z]+)\/([A-Za-z0-9.-]{1,64})(?:\/_history\/[A-Za-z0-9.-]{1,64})?$/;

/** Type and id of the resource that a literal reference is to, relative or absolute, of a version or not. */
export function referredTo({
  reference,
}: Pick<Reference, "reference">): { readonly type: string; readonly id: string } | undefined {
  const [, type, id] = LITERAL.exec(reference ?? "") ?? [];
  return type !== undefined && id !== undefined ? { type, id } : undefined;
}

/** Whether a reference says what it is to: by address or by identifier. */
export function isReferring(reference: Reference | undefined): boolean {
  return reference?.reference !== undefined || reference?.identifier !== undefined;
}
