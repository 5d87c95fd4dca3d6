import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";

export type PatientInit = Omit<MessageInitShape<typeof PatientSchema>, "$typeName">;

export const PROFILE_BASE = "https://fhir.ee/mpi/StructureDefinition/";
export const PID = "https://fhir.ee/sid/pid";
/** A personal code whose date and check digit fit: of a man born on 1980-01-08. */
export const PERSONAL_CODE = "38001085718";

/** A valid new patient of the profile verified; what is given replaces its elements. */
export function verifiedPatient(changes: PatientInit = {}): Patient {
  return create(PatientSchema, {
    meta: { profile: [`${PROFILE_BASE}ee-mpi-patient-verified`] },
    identifier: [{ system: `${PID}/fin/ni`, value: "010190-123A" }],
    active: true,
    name: [{ use: "official", family: "Virtanen", given: ["Aino", "Maria"] }],
    telecom: [
      { system: "phone", value: "+358401234567", use: "mobile" },
      { system: "email", value: "aino.virtanen@example.fi" },
    ],
    gender: "female",
    birthDate: "1990-01-01",
    address: [{ use: "home", type: "physical", country: "FI", text: "Mannerheimintie 1, Helsinki" }],
    communication: [{ language: { coding: [{ system: "urn:ietf:bcp:47", code: "fi" }] }, preferred: true }],
    ...changes,
  });
}

/** A valid new patient of the profile unknown. */
export function unknownPatient(changes: PatientInit = {}): Patient {
  return create(PatientSchema, {
    meta: { profile: [`${PROFILE_BASE}ee-mpi-patient-unknown`] },
    identifier: [{ system: `${PID}/est/mr`, value: "0b2b7c0e-6d0f-4a53-9a43-6f2f0a6f4c11" }],
    active: true,
    name: [{ use: "nickname", text: "Man from the night bus" }],
    gender: "male",
    ...changes,
  });
}

/** A valid new patient of the profile newborn. */
export function newbornPatient(changes: PatientInit = {}): Patient {
  return create(PatientSchema, {
    meta: { profile: [`${PROFILE_BASE}ee-mpi-patient-newborn`] },
    identifier: [{ system: `${PID}/est/mrt`, value: "2026-000123" }],
    active: true,
    name: [{ use: "temp", family: "Tamm" }],
    gender: "female",
    birthDate: "2026-04-30",
    multipleBirth: { case: "multipleBirthInteger", value: 2 },
    ...changes,
  });
}

/** A valid new patient of the profile stillborn. */
export function stillbornPatient(changes: PatientInit = {}): Patient {
  return create(PatientSchema, {
    meta: { profile: [`${PROFILE_BASE}ee-mpi-patient-stillborn`] },
    identifier: [{ system: `${PID}/est/npi`, value: "2026-77" }],
    name: [{ use: "temp", family: "Kask" }],
    gender: "unknown",
    birthDate: "2026-04-30",
    deceased: { case: "deceasedDateTime", value: "2026-04-30T03:12:00+03:00" },
    multipleBirth: { case: "multipleBirthInteger", value: 1 },
    ...changes,
  });
}

/** An Estonian patient as the population register has made it; no client can create it. */
export function estonianPatient(changes: PatientInit = {}): Patient {
  return create(PatientSchema, {
    meta: { profile: [`${PROFILE_BASE}ee-mpi-patient-verified`] },
    identifier: [{ use: "official", system: `${PID}/est/ni`, value: PERSONAL_CODE }],
    active: true,
    name: [{ use: "official", family: "Mänd", given: ["Mari-Liis"] }],
    gender: "male",
    birthDate: "1980-01-08",
    address: [
      {
        use: "home",
        type: "physical",
        country: "EE",
        text: "Harju maakond, Tallinn, Kesklinna linnaosa, Narva mnt 5",
        extension: [
          {
            url: "http://hl7.org/fhir/StructureDefinition/address-official",
            value: { case: "valueBoolean", value: true },
          },
        ],
      },
    ],
    ...changes,
  });
}
