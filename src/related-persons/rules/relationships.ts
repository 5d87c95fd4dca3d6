import type { Coding } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { RelatedPerson } from "#proto/patientindex/v1/related_person_pb.ts";
import { isEnded, type Report } from "../../content-rules/index.ts";

const ROLE_CLASS = "http://terminology.hl7.org/CodeSystem/v3-RoleClass";
const SNOMED_CT = "http://snomed.info/sct";
const CONTACT = "CON";

interface PlacedCoding {
  readonly coding: Coding;
  readonly path: string;
}

/** The kind must be CON where one is given (MPI-018); there is one personal relation at the most. */
export function checkRelationships(relatedPerson: RelatedPerson, report: Report): void {
  for (const { coding, path } of codingsOf(relatedPerson, ROLE_CLASS)) {
    const { code = "" } = coding;
    if (code !== CONTACT) report("CONTACT_KIND_UNKNOWN", { code }, `${path}.code`);
  }
  const [, second] = codingsOf(relatedPerson, SNOMED_CT);
  if (second)
    report("ELEMENT_REPEATED_TOO_OFTEN", { element: `${second.path} (${SNOMED_CT})`, max: "1" }, second.path);
}

/** Whether it counts towards the limit of contacts: of kind CON, active, not ended. */
export function isValidContact(relatedPerson: RelatedPerson, now: Date): boolean {
  return (
    relatedPerson.active === true &&
    !isEnded(relatedPerson.period, now) &&
    codingsOf(relatedPerson, ROLE_CLASS).some(({ coding }) => coding.code === CONTACT)
  );
}

/** Two with the same key stand in the same relation to the patient: the same kind, the same personal relation. */
export function relationKey(relatedPerson: RelatedPerson): string {
  const codes = [...codingsOf(relatedPerson, ROLE_CLASS), ...codingsOf(relatedPerson, SNOMED_CT)].map(
    ({ coding: { system = "", code = "" } }) => `${system}|${code}`,
  );
  return [...new Set(codes)].sort().join(" ");
}

function codingsOf({ relationship }: RelatedPerson, system: string): PlacedCoding[] {
  return relationship.flatMap((concept, index) =>
    concept.coding.flatMap((coding, at) =>
      coding.system === system
        ? [{ coding, path: `RelatedPerson.relationship[${index}].coding[${at}]` }]
        : [],
    ),
  );
}
