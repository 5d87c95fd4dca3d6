import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { RelatedPerson } from "#proto/patientindex/v1/related_person_pb.ts";
import {
  acceptContactPoints,
  checkBirthDate,
  checkBoundCodes,
  checkGender,
  checkIdentifier,
  checkInvariants,
  checkKeptReferences,
  checkLanguageTag,
  checkNames,
  checkPeriod,
  checkProfile,
  checkRepetition,
  checkWhole,
  collectFaults,
  identifierKey,
  type Placed,
  placed,
  type Report,
  type RuleSetting,
  storedIdentifier,
  withoutUnprocessedElements,
} from "../../content-rules/index.ts";
import type { Fault } from "../../errors/index.ts";
import { relatedPersonProfiles } from "./profile.ts";
import { checkRelationships, isValidContact, relationKey } from "./relationships.ts";

/** What is around a contact person: read under the lock of the patient, so that the limit holds. */
export interface ContactCircle {
  /** Identifiers of the patient, and of its linked group. */
  readonly groupIdentifiers: readonly Identifier[];
  /** The version that is being replaced: what identified it stays, also where it became the patient's since. */
  readonly current?: RelatedPerson | undefined;
  /** The patient's other contact persons: none that are deleted, not the one that is being replaced. */
  readonly others: readonly RelatedPerson[];
  /** How many valid contacts a patient may have. */
  readonly limit: number;
}

/** What the rules make of a contact person. */
export interface AcceptedRelatedPerson {
  /** As it is to be stored. It shares with the given one what needed no change. */
  readonly relatedPerson: RelatedPerson;
  /** Every fault of the body, in the order of the rules; when there is any, nothing is to be stored. */
  readonly faults: Fault[];
}

/** Holds a new or changed contact person to the rules; `given` is not changed. */
export function acceptRelatedPerson(
  given: RelatedPerson,
  circle: ContactCircle,
  setting: RuleSetting,
): AcceptedRelatedPerson {
  const { report, faults } = collectFaults();
  checkWhole(given.meta, "RelatedPerson", report);
  checkProfile(given.meta, given, relatedPersonProfiles, "RelatedPerson", report);
  checkLanguageTag(given.language, "RelatedPerson.language", report);
  const identifiers = placed(given.identifier, "RelatedPerson.identifier");
  const before = new Set(circle.current?.identifier.map(identifierKey));
  for (const identifier of identifiers) checkIdentifier(identifier, setting.indexSystem, report, before);
  checkRepetition(identifiers, report);
  checkRelationships(given, report);
  checkNames(given.name, "RelatedPerson.name", report);
  const telecom = acceptContactPoints(given.telecom, "RelatedPerson.telecom", report);
  checkGender(given.gender, "RelatedPerson.gender", report);
  checkBirthDate(given.birthDate, "RelatedPerson.birthDate", setting.now, report);
  checkPeriod(given.period, "RelatedPerson.period", report);
  checkCircle(given, identifiers, circle, before, setting.now, report);
  const identifier = given.identifier.map(storedIdentifier);
  const relatedPerson = { ...withoutUnprocessedElements(given), identifier, telecom };
  // Whose contact it is is looked up elsewhere, and refused there.
  const besidePatient: RelatedPerson = { ...relatedPerson, patient: undefined };
  checkKeptReferences(besidePatient, "RelatedPerson", report);
  checkBoundCodes(relatedPerson, "RelatedPerson", report);
  checkInvariants(relatedPerson, "RelatedPerson", report);
  return { relatedPerson, faults };
}

function checkCircle(
  given: RelatedPerson,
  identifiers: readonly Placed<Identifier>[],
  { groupIdentifiers, current, others, limit }: ContactCircle,
  before: ReadonlySet<string>,
  now: Date,
  report: Report,
): void {
  const ofPatient = new Set(groupIdentifiers.map(identifierKey)).difference(before);
  const relation = relationKey(given);
  const taken = new Set(
    others
      .filter((other) => relationKey(other) === relation)
      .flatMap(({ identifier }) => identifier.map(identifierKey)),
  );
  for (const { element, path } of identifiers) {
    const key = identifierKey(element);
    if (ofPatient.has(key)) report("CONTACT_IS_PATIENT", {}, path);
    if (taken.has(key)) report("CONTACT_ALREADY_PRESENT", {}, path);
  }
  // One that counted before makes them no more.
  if (!isValidContact(given, now) || (current && isValidContact(current, now))) return;
  const valid = others.filter((other) => isValidContact(other, now)).length;
  if (valid >= limit) report("TOO_MANY_CONTACTS", { max: `${limit}` }, "RelatedPerson");
}
