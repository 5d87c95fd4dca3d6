import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import {
  ProcessTransactionRequestSchema,
  TransactionService,
  ValidateEntryRequestSchema,
} from "#proto/patientindex/v1/transaction_service_pb.ts";
import { askedBy } from "../../src/access/index.ts";

const criteria = [{ name: "birthdate", value: "2000-01-01" }];

test("a transaction asks for what its entries ask for alone, and for the searches by their criteria", () => {
  const request = create(ProcessTransactionRequestSchema, {
    entries: [
      { request: { case: "createPatient", value: {} }, criteria },
      { request: { case: "updatePatient", value: { id: "7" } } },
      { request: { case: "deleteRelatedPerson", value: { id: "70001" } } },
      { request: { case: "listObservationHistory", value: { id: "70002" } } },
      { request: { case: "searchRelatedPersons", value: {} } },
    ],
  });
  const asked = askedBy(TransactionService.method.processTransaction, request) ?? [];
  expect(asked.map(({ interaction }) => interaction)).toEqual([
    "create Patient",
    "search Patient",
    "search Patient by birthdate",
    "update Patient",
    "delete RelatedPerson",
    "history of one Observation",
    "search RelatedPerson",
  ]);
  expect(asked.map((one) => one.subjects())).toEqual([
    [],
    [],
    [],
    [{ id: 7n }],
    [{ id: 7n }],
    [{ id: 7n }],
    [],
  ]);
});

test("a validation asks for the write that it is of", () => {
  const entry = { request: { case: "updateObservation", value: { id: "70002" } } } as const;
  const asked = askedBy(
    TransactionService.method.validateEntry,
    create(ValidateEntryRequestSchema, { entry }),
  );
  expect(asked?.map(({ interaction }) => interaction)).toEqual(["update Observation"]);
});
