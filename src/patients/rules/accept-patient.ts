import type { Message } from "@bufbuild/protobuf";
import type { Address, Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import {
  acceptContactPoints,
  anyMessage,
  breaksInvariant,
  checkBoundCodes,
  checkGender,
  checkInvariants,
  checkKeptReferences,
  checkLifeDates,
  checkNames,
  checkProfile,
  checkWhole,
  collectFaults,
  hasForeignCode,
  identifierKey,
  isDoubtfulReference,
  type Placed,
  placed,
  type Report,
  type RuleSetting,
  storedIdentifier,
} from "../../content-rules/index.ts";
import type { Fault } from "../../errors/index.ts";
import { mostElements } from "../../structure/index.ts";
import { checkAddressRepetition } from "./address-repetition.ts";
import { acceptAddress, isOfficialResidence } from "./addresses.ts";
import type { PatientBody } from "./body.ts";
import { checkIdentifierChanges } from "./identifier-changes.ts";
import { checkIdentifiers, reportAddedPersonalCode } from "./identifiers.ts";
import { checkLanguages } from "./languages.ts";
import { patientProfiles } from "./profiles.ts";
import { checkProtectedElements } from "./protected-elements.ts";
import { storedForm } from "./stored-form.ts";

/** What the rules make of a patient. */
export interface AcceptedPatient {
  /** As it is to be stored. It shares with the given one what needed no change. */
  readonly patient: Patient;
  /** Every fault of the body, in the order of the rules; when there is any, the patient is not to be stored. */
  readonly faults: Fault[];
}

/** Holds a patient to be created to the rules; `given` is not changed. */
export function acceptNewPatient(given: Patient, setting: RuleSetting): AcceptedPatient {
  const { report, faults } = collectFaults();
  const body = bodyOf(given, []);
  if (hasTooManyIdentifiers(body, report)) return { patient: { ...given, identifier: [] }, faults };
  checkIdentifiers(body.identifiers, [], setting.indexSystem, report);
  for (const identifier of body.identifiers) reportAddedPersonalCode(identifier, report);
  return { patient: acceptBody(body, undefined, setting, report), faults };
}

/**
 * Holds the new content of a patient to the rules; neither `current` (as stored) nor `given` is changed. What the
 * index shows and does not take from clients is passed over: links, identifiers of other members of the group
 * (`ofGroup`, those that the patient's view lists among its own), the official residence (the stored one stays),
 * address notices.
 */
export function acceptChangedPatient(
  current: Patient,
  given: Patient,
  setting: RuleSetting,
  ofGroup: readonly Identifier[] = [],
): AcceptedPatient {
  const { report, faults } = collectFaults();
  const body = bodyOf(given, ofGroup);
  if (hasTooManyIdentifiers(body, report)) return { patient: { ...given, identifier: [] }, faults };
  checkIdentifiers(body.identifiers, current.identifier, setting.indexSystem, report);
  checkIdentifierChanges(current.identifier, body.identifiers, report);
  checkProtectedElements(current, body.patient, report);
  return { patient: acceptBody(body, current, setting, report), faults };
}

/** Of its own: a primary shows those of its whole group. Nothing else is then said of the body: it would take too long. */
function hasTooManyIdentifiers({ identifiers }: PatientBody, report: Report): boolean {
  if (identifiers.length <= mostElements) return false;
  const element = "Patient.identifier";
  report("ELEMENT_REPEATED_TOO_OFTEN", { element, max: String(mostElements) }, element);
  return true;
}

function bodyOf(given: Patient, ofGroup: readonly Identifier[]): PatientBody {
  return {
    patient: given,
    identifiers: withoutOthers(placed(given.identifier, "Patient.identifier"), ofGroup),
    addresses: placed(given.address, "Patient.address").filter(
      ({ element }) => !isOfficialResidence(element),
    ),
  };
}

function withoutOthers(
  identifiers: readonly Placed<Identifier>[],
  ofGroup: readonly Identifier[],
): readonly Placed<Identifier>[] {
  if (ofGroup.length === 0) return identifiers;
  const others = new Set(ofGroup.map(identifierKey));
  return identifiers.filter(({ element }) => !others.has(identifierKey(element)));
}

/** The rules that ask nothing of the past but the addresses and dates that were there. */
function acceptBody(
  body: PatientBody,
  before: Patient | undefined,
  setting: RuleSetting,
  report: Report,
): Patient {
  const { patient } = body;
  checkWhole(patient.meta, "Patient", report);
  checkProfile(patient.meta, body, patientProfiles, "Patient", report);
  checkNames(patient.name, "Patient.name", report);
  const telecom = acceptContactPoints(patient.telecom, "Patient.telecom", report);
  checkGender(patient.gender, "Patient.gender", report);
  // What the index has already can be put back: nobody can mend a date of the register.
  if (!before || !hasSameDates(before, patient)) checkLifeDates(patient, "Patient", setting.now, report);
  const address = acceptAddresses(body, before?.address ?? [], setting.now, report);
  checkLanguages(patient, report);
  const identifier = body.identifiers.map(({ element }) => storedIdentifier(element));
  // Hardly any patient has such a thing, so that one look at all of it does.
  if (anyMessage(patient, isDoubtful)) {
    checkReferences(patient, report);
    checkElements(body, report);
  }
  return storedForm(patient, { identifier, telecom, address });
}

function isDoubtful(message: Message): boolean {
  return isDoubtfulReference(message) || hasForeignCode(message) || breaksInvariant(message);
}

/** With the lists of the body, whose places the faults name. */
function checkReferences(patient: Patient, report: Report): void {
  const inPlace = { identifier: patient.identifier, telecom: patient.telecom, address: patient.address };
  checkKeptReferences(storedForm(patient, inPlace), "Patient", report);
}

/** Faults of what a client may give, at its places in the body. */
function checkElements({ patient, identifiers, addresses }: PatientBody, report: Report): void {
  const others = storedForm(patient, { identifier: [], telecom: patient.telecom, address: [] });
  for (const { element, path } of [...identifiers, ...addresses, { element: others, path: "Patient" }]) {
    checkBoundCodes(element, path, report);
    checkInvariants(element, path, report);
  }
}

function hasSameDates(before: Patient, given: Patient): boolean {
  return before.birthDate === given.birthDate && before.deceased.value === given.deceased.value;
}

function acceptAddresses(
  { addresses }: PatientBody,
  before: readonly Address[],
  now: Date,
  report: Report,
): Address[] {
  const residences = before.filter(isOfficialResidence);
  const others = before.filter((address) => !isOfficialResidence(address));
  const accepted = addresses.map((given) => ({ address: acceptAddress(given, report), path: given.path }));
  checkAddressRepetition(accepted, { residences, others }, now, report);
  return [...residences, ...accepted.map(({ address }) => address)];
}
