import type { HumanName } from "#proto/patientindex/v1/datatypes_pb.ts";
import {
  counted,
  isAnyPresent,
  isPresent,
  notAllowed,
  type ProfileRule,
  type Profiles,
  type Report,
  required,
} from "../../content-rules/index.ts";
import { parseIdentifierSystem } from "../../identifiers/index.ts";
import type { PatientBody } from "./body.ts";

const INSTITUTION_NUMBER = "prn/";

const noTelecomAddressCommunication: readonly ProfileRule<PatientBody>[] = [
  notAllowed("Patient.telecom", ({ patient }) => patient.telecom.length > 0),
  notAllowed("Patient.address", ({ addresses }) => addresses.length > 0),
  notAllowed("Patient.communication", ({ patient }) => patient.communication.length > 0),
];
const birthDateRequired = required<PatientBody>("Patient.birthDate", ({ patient }) =>
  isPresent(patient.birthDate, patient.birthDateElement),
);
const birthOrderRequired = required<PatientBody>(
  "Patient.multipleBirth",
  ({ patient }) =>
    patient.multipleBirth.case === "multipleBirthInteger" ||
    isPresent(undefined, patient.multipleBirthIntegerElement),
  "Patient.multipleBirthInteger",
);

/** What each profile of patients asks beyond the rules for all (spec rules.md, "Profiles"). */
export const patientProfiles: Profiles<PatientBody> = {
  "ee-mpi-patient-verified": [officialNameInFull],
  "ee-mpi-patient-unknown": [
    counted("Patient.identifier", ({ identifiers }) => identifiers.length, { min: 1, max: 1 }),
    identifiersOf("est/mr, est/prn", (type) => type === "mr" || type.startsWith(INSTITUTION_NUMBER)),
    counted("Patient.name", ({ patient }) => patient.name.length, { min: 1, max: 1 }),
    namesUsedAs("nickname"),
    nameByTextOnly,
    required("Patient.gender", ({ patient }) => isPresent(patient.gender, patient.genderElement)),
    notAllowed("Patient.multipleBirth", hasMultipleBirth),
  ],
  "ee-mpi-patient-newborn": [
    counted("Patient.name", ({ patient }) => patient.name.length, { min: 1, max: 1 }),
    namesUsedAs("temp"),
    familyName,
    birthDateRequired,
    birthOrderRequired,
    ...noTelecomAddressCommunication,
  ],
  "ee-mpi-patient-stillborn": [
    identifiersOf(
      "est/ni, est/npi, est/prn",
      (type) => type === "ni" || type === "npi" || type.startsWith(INSTITUTION_NUMBER),
    ),
    counted("Patient.name", ({ patient }) => patient.name.length, { min: 0, max: 1 }),
    namesUsedAs("temp"),
    birthDateRequired,
    required(
      "Patient.deceased",
      ({ patient }) =>
        patient.deceased.case === "deceasedDateTime" || isPresent(undefined, patient.deceasedDateTimeElement),
      "Patient.deceasedDateTime",
    ),
    birthOrderRequired,
    ...noTelecomAddressCommunication,
  ],
};

/** At least one official name; each has family and given. */
function officialNameInFull({ patient: { name } }: PatientBody, profile: string, report: Report): void {
  const official = [...name.entries()].filter(([, { use }]) => use === "official");
  if (official.length === 0) {
    report("PROFILE_ELEMENT_REQUIRED", { profile, element: "Patient.name (use = official)" }, "Patient.name");
  }
  for (const [index, one] of official) {
    requirePart(hasFamily(one), `Patient.name[${index}].family`, profile, report);
    requirePart(isAnyPresent(one.given, one.givenElement), `Patient.name[${index}].given`, profile, report);
  }
}

/** Names without family or given: all that is known stands in text. */
function nameByTextOnly({ patient: { name } }: PatientBody, profile: string, report: Report): void {
  for (const [index, one] of name.entries()) {
    const path = `Patient.name[${index}]`;
    requirePart(isPresent(one.text, one.textElement), `${path}.text`, profile, report);
    forbidPart(one.family !== undefined || hasFamily(one), `${path}.family`, profile, report);
    forbidPart(one.given.length > 0, `${path}.given`, profile, report);
  }
}

function familyName({ patient: { name } }: PatientBody, profile: string, report: Report): void {
  for (const [index, one] of name.entries()) {
    requirePart(hasFamily(one), `Patient.name[${index}].family`, profile, report);
  }
}

function namesUsedAs(use: string): ProfileRule<PatientBody> {
  return ({ patient: { name } }, profile, report) => {
    for (const [index, one] of name.entries()) {
      if (one.use === use) continue;
      const element = `Patient.name[${index}].use`;
      report("PROFILE_VALUE_NOT_ALLOWED", { profile, element, allowed: use }, element);
    }
  };
}

/** Estonian identifiers of some types only. Systems that are not known have a fault of their own already. */
function identifiersOf(allowed: string, isAllowed: (type: string) => boolean): ProfileRule<PatientBody> {
  return ({ identifiers }, profile, report) => {
    for (const { element: identifier, path } of identifiers) {
      const parsed = parseIdentifierSystem(identifier.system ?? "");
      if (!parsed || (parsed.country === "est" && isAllowed(parsed.type))) continue;
      const element = `${path}.system`;
      report("PROFILE_VALUE_NOT_ALLOWED", { profile, element, allowed }, element);
    }
  };
}

function hasMultipleBirth({ patient }: PatientBody): boolean {
  return (
    patient.multipleBirth.case !== undefined ||
    isPresent(undefined, patient.multipleBirthBooleanElement) ||
    isPresent(undefined, patient.multipleBirthIntegerElement)
  );
}

function hasFamily({ family, familyElement }: HumanName): boolean {
  return isPresent(family, familyElement);
}

function requirePart(isThere: boolean, element: string, profile: string, report: Report): void {
  if (!isThere) report("PROFILE_ELEMENT_REQUIRED", { profile, element }, element);
}

function forbidPart(isThere: boolean, element: string, profile: string, report: Report): void {
  if (isThere) report("PROFILE_ELEMENT_NOT_ALLOWED", { profile, element }, element);
}
