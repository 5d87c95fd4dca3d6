import { create } from "@bufbuild/protobuf";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { checkDigit } from "../identifiers/index.ts";
import { ESTONIAN_NAMES } from "./names.ts";
import {
  BIRTHDAYS,
  birthday,
  identifierOf,
  languageOf,
  metaOf,
  officialName,
  type Sex,
  telecomOf,
} from "./person.ts";
import { ESTONIAN_PLACES, ESTONIAN_STREETS } from "./places.ts";
import type { Random } from "./random.ts";
import { streetLine } from "./street-line.ts";

const SERIALS = 1000;
/** How many people can have a personal code. */
const CODES = BIRTHDAYS * 2 * SERIALS;
/** Shares no divisor with CODES: every number below CODES is met once before any is met again. */
const STEP = 48_271_043;
const OFFICIAL = "http://hl7.org/fhir/StructureDefinition/address-official";
const BIRTH_TIME = "http://hl7.org/fhir/StructureDefinition/patient-birthTime";

/** A person of the population register: a personal code of her own, official residence, often a telephone. */
export function inventEstonian(random: Random, seed: number, index: number): Patient {
  const person = registeredPerson(seed, index);
  return create(PatientSchema, {
    meta: metaOf("ee-mpi-patient-verified"),
    identifier: [identifierOf("est/ni", person.code), ...passportOf(random, index)],
    active: true,
    name: [officialName(random, ESTONIAN_NAMES, person.sex)],
    telecom: telecomOf(random, "+3725", index),
    gender: person.sex,
    birthDate: person.birthDate,
    ...(random.percent(30) && { birthDateElement: birthTimeOf(random, person.birthDate) }),
    ...deathOf(random, person.birthDate),
    address: [residenceOf(random)],
    communication: [languageOf(random.percent(75) ? "et" : "ru")],
  });
}

/** The code of the index-th person. Over all indexes each code comes once; another seed starts elsewhere. */
function registeredPerson(seed: number, index: number): { code: string; sex: Sex; birthDate: string } {
  if (index >= CODES) throw new RangeError(`There are no more than ${CODES} personal codes.`);
  const number = Number((BigInt(index) * BigInt(STEP) + BigInt(seed) * 7_919n) % BigInt(CODES));
  const birthDate = birthday(Math.floor(number / (2 * SERIALS)));
  const sex: Sex = Math.floor(number / SERIALS) % 2 === 0 ? "male" : "female";
  const century = Math.floor(Number(birthDate.slice(0, 2)) - 18) * 2 + (sex === "male" ? 1 : 2);
  const digits = century + birthDate.slice(2).replaceAll("-", "") + String(number % SERIALS).padStart(3, "0");
  return { code: digits + checkDigit(digits), sex, birthDate };
}

function passportOf(random: Random, index: number) {
  if (!random.percent(40)) return [];
  const year = 2018 + random.below(8);
  const period = { start: `${year}-03-01`, end: `${year + 10}-03-01` };
  return [identifierOf("est/ppn", `KE${String(index).padStart(9, "0")}`, period)];
}

function birthTimeOf(random: Random, birthDate: string) {
  const time = `${String(random.below(24)).padStart(2, "0")}:${String(random.below(60)).padStart(2, "0")}:00`;
  const value = { case: "valueDateTime" as const, value: `${birthDate}T${time}+02:00` };
  return { extension: [{ url: BIRTH_TIME, value }] };
}

function deathOf(random: Random, birthDate: string) {
  if (birthDate >= "1960" || !random.percent(15)) return {};
  const day = `202${random.below(5)}-0${1 + random.below(9)}-${10 + random.below(19)}`;
  return { deceased: { case: "deceasedDateTime" as const, value: day } };
}

/** As the population register writes it: clients cannot. */
function residenceOf(random: Random) {
  const { state, district, city, postal } = random.pick(ESTONIAN_PLACES);
  const { text, ...lines } = streetLine({
    streetName: random.pick(ESTONIAN_STREETS),
    houseNumber: String(1 + random.below(180)),
    ...(random.percent(60) && { additionalLocator: String(1 + random.below(90)) }),
  });
  const parts = [...new Set([state, district, city])];
  return {
    extension: [{ url: OFFICIAL, value: { case: "valueBoolean" as const, value: true } }],
    use: "home",
    type: "both",
    text: [...parts, text].join(", "),
    ...lines,
    city,
    district,
    state,
    postalCode: postal + random.digits(2),
    country: "EE",
    period: { start: `20${10 + random.below(15)}-0${1 + random.below(9)}-01` },
  };
}
