import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import { LinkageService } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { askedBy } from "../../src/access/index.ts";

const { searchPatients } = PatientService.method;
const { readLinkGroup } = LinkageService.method;

function interactionsOf(...asked: Parameters<typeof askedBy>): string[] | undefined {
  return askedBy(...asked)?.map(({ interaction }) => interaction);
}

function search(names: readonly string[], write: ChangeInteraction = ChangeInteraction.UNSPECIFIED) {
  const parameters = names.map((name) => ({ name, value: "1" }));
  return interactionsOf(searchPatients, create(searchPatients.input, { parameters, write }));
}

test.each(["birthdate", "birthdate:missing", "birthdate.x"])(
  "a search by %s asks for the right to search by birth date, whatever stands beside it",
  (name) => {
    const both = ["search Patient", "search Patient by birthdate"];
    expect(search([name])).toEqual(both);
    expect(search(["active", name])).toEqual(both);
    expect(search([name, "active"])).toEqual(both);
  },
);

test.each(["birthdatex", "_sort", "mother.birthdate"])("a search by %s does not", (name) => {
  expect(search([name])).toEqual(["search Patient"]);
});

test("a search before a write asks for the right to the write too", () => {
  expect(search(["active"], ChangeInteraction.CREATE)).toEqual(["search Patient", "create Patient"]);
  expect(search(["active"], ChangeInteraction.UPDATE)).toEqual(["search Patient", "update Patient"]);
});

test("a linked group as it is, is part of the patient, and as it was of the history", () => {
  const group = (request: object) => interactionsOf(readLinkGroup, create(readLinkGroup.input, request));
  expect(group({ patientId: "7" })).toEqual(["read Patient"]);
  expect(group({ patientId: "7", asOf: { seconds: 1n } })).toEqual(["history of one Patient"]);
});
