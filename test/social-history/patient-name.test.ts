import { create, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { RegisteredPersonSchema } from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { HumanNameSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { readPatientName, type SocialHistory } from "../../src/social-history/index.ts";
import { estonianPatient } from "../patients/examples.ts";

type PersonInit = MessageInitShape<typeof RegisteredPersonSchema>;

/** What $name answers when the register says this of the patient. */
async function nameOf(person: PersonInit) {
  const history = {
    patients: { read: async () => ({ patient: { ...estonianPatient(), id: "7" } }) },
    registers: { population: { readPerson: async () => create(RegisteredPersonSchema, person) } },
  } as unknown as SocialHistory;
  const { name } = await readPatientName(history, [
    { $typeName: "patientindex.v1.SearchParameter", name: "patient", value: "Patient/7" },
  ]);
  return toJson(HumanNameSchema, name);
}

it.for<[PersonInit, object]>([
  [
    { familyName: "Maasikas", givenNames: ["Mari"] },
    { family: "Maasikas", given: ["Mari"] },
  ],
  [{ familyName: "Maasikas", givenNames: ["", " "] }, { family: "Maasikas" }],
  [{ familyName: " ", givenNames: ["Mari"] }, { given: ["Mari"] }],
])(
  "the answer about a name leaves out what the register does not know of it: %o",
  async ([person, shown]) => {
    expect(await nameOf(person)).toEqual({ use: "official", ...shown });
  },
);
