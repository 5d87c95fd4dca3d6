import { create } from "@bufbuild/protobuf";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { BIRTHDAYS, birthday, identifierOf, metaOf, type Sex } from "./person.ts";
import type { Random } from "./random.ts";

/** Registry codes of invented hospitals. */
const INSTITUTIONS: readonly string[] = ["90000001", "90000018", "90000024"];

/** Somebody whom nobody knows yet: a number of the index or of a hospital, and what the staff calls her. */
export function inventUnknown(random: Random, index: number): Patient {
  const sex: Sex = random.percent(60) ? "male" : "female";
  const place = String(index).padStart(9, "0");
  const identifier = random.percent(50)
    ? identifierOf("est/mr", uuidOf(random, index))
    : identifierOf(`est/prn/${random.pick(INSTITUTIONS)}`, `EMO-${place}`);
  return create(PatientSchema, {
    meta: metaOf("ee-mpi-patient-unknown"),
    identifier: [identifier],
    active: true,
    name: [{ use: "nickname", text: `${sex === "male" ? "Tundmatu mees" : "Tundmatu naine"} ${place}` }],
    gender: random.percent(90) ? sex : "unknown",
    ...(random.percent(30) && { birthDate: birthday(random.below(BIRTHDAYS)).slice(0, 4) }),
  });
}

/** Of the form that the index gives its own numbers; the index in it keeps it apart from all others. */
function uuidOf(random: Random, index: number): string {
  const hex = (length: number) => Array.from({ length }, () => random.below(16).toString(16)).join("");
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${index.toString(16).padStart(12, "0")}`;
}
