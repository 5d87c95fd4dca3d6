import type { Reference } from "#proto/patientindex/v1/datatypes_pb.ts";

const LOCAL = /^([A-Z][A-Za-z]+)\/([A-Za-z0-9.-]{1,64})(?:\/_history\/[A-Za-z0-9.-]{1,64})?$/;
const ORIGIN = /^https?:\/\/[^/?#\\]+/i;

/** Names of the parameters that name a patient by reference. */
export const referenceParameters = ["patient", "subject"] as const;
export type ReferenceParameter = (typeof referenceParameters)[number];

/**
 * Type and id of the resource of the index that a literal reference is to: a relative one, of a version or not. An
 * absolute one is to a resource of another server, whatever it ends with.
 */
export function referredTo({
  reference,
}: Pick<Reference, "reference">): { readonly type: string; readonly id: string } | undefined {
  const [, type, id] = LOCAL.exec(reference ?? "") ?? [];
  return type !== undefined && id !== undefined ? { type, id } : undefined;
}

/** Whether a reference calls what its address leads to something else. */
export function contradictsItself({ reference, type }: Pick<Reference, "reference" | "type">): boolean {
  if (type === undefined) return false;
  const target = referredTo({ reference });
  return target !== undefined && !isType(type, target.type);
}

/** Whether a reference may be to a patient by the type that it says, if it says one. */
export function mayBeToPatient({ type }: Pick<Reference, "type">): boolean {
  return type === undefined || isType(type, "Patient");
}

/** A type is said by its name, or by the address of its definition (R5 references, Reference.type). */
function isType(said: string, type: string): boolean {
  return said === type || said === `http://hl7.org/fhir/StructureDefinition/${type}`;
}

/** Whether a reference says what it is to: by address or by identifier. */
export function isReferring(reference: Reference | undefined): boolean {
  return reference?.reference !== undefined || reference?.identifier !== undefined;
}

/** Where the index is reached: base addresses such as https://mpi.example.ee/fhir, as `withPlainOrigin` writes them. */
export interface Reached {
  readonly bases: readonly string[];
}

/** An absolute reference to a resource below one of the bases of the index as a relative one; any other as it is. */
export function relativeReference(reference: string, reached: Reached): string {
  return pathsBelow(reference, reached).find((path) => referredTo({ reference: path })) ?? reference;
}

/** What follows the base in an absolute address below one of the bases of the index; nothing in any other. */
export function pathsBelow(absolute: string, reached: Reached): string[] {
  if (!ORIGIN.test(absolute)) return [];
  const address = withPlainOrigin(absolute);
  return reached.bases
    .filter((base) => address.startsWith(base) && address[base.length] === "/")
    .map((base) => address.slice(base.length + 1));
}

const NAMES: ReadonlySet<string> = new Set(referenceParameters);

/** The parameters of a search or an operation with the patients whom they name by such a reference. */
export function withRelativeReferences<Parameter extends { readonly name: string; readonly value: string }>(
  parameters: readonly Parameter[],
  reached: Reached,
): Parameter[] {
  return parameters.map((one) =>
    NAMES.has(one.name) ? { ...one, value: relativeReference(one.value, reached) } : one,
  );
}

/** An address with its scheme and host in lower case, without the port that goes without saying (RFC 3986, 6.2.2 and 6.2.3). */
export function withPlainOrigin(address: string): string {
  return address.replace(ORIGIN, (origin) => URL.parse(origin)?.origin ?? origin);
}
