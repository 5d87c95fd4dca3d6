import { clone, create, equals } from "@bufbuild/protobuf";
import type { RegisteredPerson } from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import {
  type Address,
  AddressSchema,
  IdentifierSchema,
  MetaSchema,
} from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { acceptContactPoints, collectFaults } from "../../content-rules/index.ts";
import { IDENTIFIER_BASE } from "../../identifiers/index.ts";
import { today } from "../../time/days.ts";
import { isOfficialResidence } from "../rules/addresses.ts";
import { residenceOf } from "./registered-address.ts";
import { namesOf } from "./registered-names.ts";

const PROFILE = "https://fhir.ee/mpi/StructureDefinition/ee-mpi-patient-verified";

/** Whose word it is, as meta.source says, and when it came. */
export interface RegisterWord {
  readonly source: string;
  readonly now: Date;
}

/** A new patient of what the register knows of a person. */
export function newRegisteredPatient(person: RegisteredPerson, { source, now }: RegisterWord): Patient {
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
  return { ...followed(bare, person, now), telecom: telecomOf(person) };
}

/**
 * A patient brought to what the register says now of name, sex, birth, death and residence; undefined when that
 * changes nothing. What the register does not rule on stays as it is.
 */
export function refreshedPatient(
  current: Patient,
  person: RegisteredPerson,
  { source, now }: RegisterWord,
): Patient | undefined {
  const next = followed(current, person, now);
  if (equals(PatientSchema, next, current)) return undefined;
  return { ...next, meta: { ...(current.meta ?? create(MetaSchema)), source } };
}

/** Whether two versions of a patient say the same of what the register rules on. */
export function isRuledAlike(one: Patient, other: Patient): boolean {
  return equals(PatientSchema, ruledOn(one), ruledOn(other));
}

function ruledOn({ name, gender, birthDate, deceased, address }: Patient): Patient {
  const residence = address.filter(isOfficialResidence);
  return { ...create(PatientSchema), name, gender, birthDate, deceased, address: residence };
}

/** The elements that follow the register, by it; nothing of `current` is changed. */
function followed(current: Patient, person: RegisteredPerson, now: Date): Patient {
  const { birthDate, sex, deathDate } = person;
  const next = clone(PatientSchema, current);
  next.name = namesOf(next.name, person, today(now));
  next.gender = sex === "" ? "unknown" : sex;
  // What was said beside another date, such as the time of birth, does not fit this one.
  if ((next.birthDate ?? "") !== birthDate) next.birthDateElement = undefined;
  if (next.deceased.value !== deathDate) {
    next.deceasedBooleanElement = undefined;
    next.deceasedDateTimeElement = undefined;
  }
  next.birthDate = birthDate === "" ? undefined : birthDate;
  next.deceased = deathDate === "" ? { case: undefined } : { case: "deceasedDateTime", value: deathDate };
  next.address = addressesOf(next.address, person);
  return next;
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
