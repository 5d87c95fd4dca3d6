import type { DescField } from "@bufbuild/protobuf";

/** Of any element: more than anybody needs, and few enough that one body does not keep all others waiting. */
export const mostElements = 1000;

const OTHERS: ReadonlyMap<string, number> = new Map([
  // Each is a question to the address registry, or a patient to be read.
  ["patientindex.v1.Patient.address", 100],
  ["patientindex.v1.Observation.focus", 100],
  // As a primary shows them: those of its whole group, however large it is.
  ["patientindex.v1.Patient.identifier", Number.POSITIVE_INFINITY],
  ["patientindex.v1.Patient.link", Number.POSITIVE_INFINITY],
]);

/** How often a repeated element may be there. */
export function mostOf(field: DescField): number {
  return OTHERS.get(`${field.parent.typeName}.${field.name}`) ?? mostElements;
}
