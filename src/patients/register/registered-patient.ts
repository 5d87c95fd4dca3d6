import { clone, create, equals } from "@bufbuild/protobuf";
import type { RegisteredPerson } from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import {
  type Address,
  AddressSchema,
  type HumanName,
  HumanNameSchema,
  IdentifierSchema,
  MetaSchema,
} from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import {
  acceptContactPoints,
  collectFaults,
  isAnyPresent,
  isPresent,
  unknownValue,
} from "../../content-rules/index.ts";
import { IDENTIFIER_BASE } from "../../identifiers/index.ts";
import { isOfficialResidence } from "../rules/addresses.ts";
import { residenceOf } from "./registered-address.ts";

const PROFILE = "https://fhir.ee/mpi/StructureDefinition/ee-mpi-patient-verified";

/** A new patient of what the register knows of a person; `source` says in its meta whose word it is. */
export function newRegisteredPatient(person: RegisteredPerson, source: string): Patient {
  const bare = create(PatientSchema, {
    meta: { profile: [PROFILE], source },
    identifier: [
      create(IdentifierSchema, {
        use: "official",
        system: `${IDENTIFIER_BASE}/est/ni`,
        value: person.personalCode,
      }),
    ],
    active: true,
  });
  return { ...followed(bare, person), telecom: telecomOf(person) };
}

/**
 * A patient brought to what the register says now of name, sex, birth, death and residence; undefined when that
 * changes nothing. What the register does not rule on stays as it is.
 */
export function refreshedPatient(
  current: Patient,
  person: RegisteredPerson,
  source: string,
): Patient | undefined {
  const next = followed(current, person);
  if (equals(PatientSchema, next, current)) return undefined;
  return { ...next, meta: { ...(current.meta ?? create(MetaSchema)), source } };
}

/** The elements that follow the register, by it; nothing of `current` is changed. */
function followed(current: Patient, person: RegisteredPerson): Patient {
  const { birthDate, sex, deathDate } = person;
  const next = clone(PatientSchema, current);
  next.name = namesOf(next.name, person);
  next.gender = sex === "" ? "unknown" : sex;
  // What was said beside another date, such as the time of birth, does not fit this one.
  if (next.birthDate !== birthDate) next.birthDateElement = undefined;
  if (next.deceased.value !== deathDate) {
    next.deceasedBooleanElement = undefined;
    next.deceasedDateTimeElement = undefined;
  }
  next.birthDate = birthDate === "" ? undefined : birthDate;
  next.deceased = deathDate === "" ? { case: undefined } : { case: "deceasedDateTime", value: deathDate };
  next.address = addressesOf(next.address, person);
  return next;
}

/** One official name, in the place of the one before; nicknames and others stay. */
function namesOf(current: readonly HumanName[], person: RegisteredPerson): HumanName[] {
  const name = officialName(person);
  const before = current.find(({ use }) => use === "official");
  const official = before && isSameName(before, name) ? before : name;
  return [official, ...current.filter(({ use }) => use !== "official")];
}

/** A part that the register does not know says so: the profile demands both. */
function officialName({ familyName, givenNames }: RegisteredPerson): HumanName {
  const given = givenNames.filter((name) => isPresent(name, undefined));
  return create(HumanNameSchema, {
    use: "official",
    ...(isPresent(familyName, undefined) ? { family: familyName } : { familyElement: unknownValue() }),
    ...(given.length > 0 ? { given } : { given: [""], givenElement: [unknownValue()] }),
  });
}

/** A name that was stored with an empty part is none of the register's: nobody could put it back. */
function isSameName(before: HumanName, name: HumanName): boolean {
  const isWhole =
    isPresent(before.family, before.familyElement) && isAnyPresent(before.given, before.givenElement);
  return isWhole && before.family === name.family && before.given.join(" ") === name.given.join(" ");
}

function addressesOf(current: readonly Address[], { residence }: RegisteredPerson): Address[] {
  const others = current.filter((address) => !isOfficialResidence(address));
  if (!residence) return others;
  const given = residenceOf(residence);
  const before = current.find(isOfficialResidence);
  return [before && equals(AddressSchema, before, given) ? before : given, ...others];
}

/** Phone and e-mail of the register, those of them that the index can take: they are loaded once only. */
function telecomOf({ phone, email }: RegisteredPerson): Patient["telecom"] {
  const given = [
    ...(phone === "" ? [] : [{ system: "phone", value: phone, use: "mobile" }]),
    ...(email === "" ? [] : [{ system: "email", value: email, use: "home" }]),
  ].map((point) => create(PatientSchema, { telecom: [point] }).telecom);
  return given.flatMap((points) => {
    const { report, faults } = collectFaults();
    const accepted = acceptContactPoints(points, "Patient.telecom", report);
    return faults.length === 0 ? accepted : [];
  });
}
