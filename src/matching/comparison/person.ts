import type { Address, ContactPoint, HumanName } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { storedIdentifier, storedPhone } from "../../content-rules/index.ts";
import { type IdentifierToken, identifierTokenOf } from "../../identifiers/index.ts";
import { nameWords } from "../names/words.ts";

/** What of a patient is compared, in a form in which the same is equal. */
export interface Person {
  readonly names: readonly PersonName[];
  /** As far as it is known: YYYY, YYYY-MM or YYYY-MM-DD. */
  readonly birthDate: string | undefined;
  readonly gender: string | undefined;
  readonly telecoms: ReadonlySet<string>;
  readonly addresses: readonly PersonAddress[];
  readonly identifiers: readonly IdentifierToken[];
  /** Which of twins or more children it is that were born together. */
  readonly birthOrder: number | undefined;
}

/** Each part of a name by its words: Mari-Liis is one part of two words. */
export interface PersonName {
  readonly family: readonly NamePart[];
  readonly given: readonly NamePart[];
}

export type NamePart = readonly string[];

export interface PersonAddress {
  readonly country: string;
  readonly words: ReadonlySet<string>;
  readonly cities: ReadonlySet<string>;
}

/** A patient has few of anything; what comes on top of that is not compared. */
const MOST = { names: 5, parts: 6, telecoms: 8, addresses: 5, identifiers: 20 } as const;

/** What of a person records are brought together by. */
export type PersonInBlocks = Pick<Person, "names" | "birthDate" | "telecoms">;

export function personInBlocks(patient: Patient): PersonInBlocks {
  return {
    names: patient.name.slice(0, MOST.names).map(personName).filter(isNamed),
    birthDate: /^\d{4}(-\d\d(-\d\d)?)?$/.test(patient.birthDate ?? "") ? patient.birthDate : undefined,
    telecoms: telecomsOf(patient),
  };
}

export function telecomsOf({ telecom }: Pick<Patient, "telecom">): ReadonlySet<string> {
  return new Set(telecom.slice(0, MOST.telecoms).flatMap((point) => contactOf(point) ?? []));
}

export function personOf(patient: Patient): Person {
  return {
    ...personInBlocks(patient),
    gender: patient.gender,
    addresses: patient.address.slice(0, MOST.addresses).map(personAddress),
    identifiers: patient.identifier
      .slice(0, MOST.identifiers)
      .flatMap((identifier) => identifierTokenOf(storedIdentifier(identifier)) ?? []),
    birthOrder:
      patient.multipleBirth.case === "multipleBirthInteger" ? patient.multipleBirth.value : undefined,
  };
}

/** A contact point as it is compared: phone numbers as they are stored, e-mail addresses in small letters. */
export function contactOf({
  system,
  value = "",
}: Pick<ContactPoint, "system" | "value">): string | undefined {
  if (value.trim() === "") return undefined;
  return system === "email" || value.includes("@")
    ? value.trim().toLowerCase()
    : (storedPhone(value) ?? value.replace(/[\s().-]+/g, ""));
}

/**
 * What the staff calls somebody unknown is no name: names of text alone are not compared, nor is what newborn are called
 * for the time being.
 */
function personName({ use, family = "", given }: HumanName): PersonName {
  return { family: parts([family]), given: use === "temp" ? [] : parts(given) };
}

function parts(texts: readonly string[]): NamePart[] {
  return texts
    .slice(0, MOST.parts)
    .map(nameWords)
    .filter((words) => words.length > 0);
}

function isNamed({ family, given }: PersonName): boolean {
  return family.length + given.length > 0;
}

function personAddress({ country = "", city, district, text, line }: Address): PersonAddress {
  const words = line.length > 0 ? [...line, city ?? ""] : [text ?? ""];
  return {
    country,
    words: new Set(words.flatMap(placeWords)),
    cities: new Set([city, district].flatMap((place) => placeWords(place ?? ""))),
  };
}

function placeWords(text: string): string[] {
  return nameWords(text.replaceAll(",", " "));
}
