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

test("criteria say with whom it lies only where the entry does not: what is created is nobody's by them", () => {
  const patient = (id: number) => ({ patient: { reference: `Patient/${id}` } });
  const own = [{ name: "patient", value: "Patient/7" }];
  const request = create(ProcessTransactionRequestSchema, {
    entries: [
      {
        request: { case: "createRelatedPerson", value: { relatedPerson: patient(8) } },
        criteria: own,
      },
      {
        request: { case: "updateRelatedPerson", value: { id: "90001", relatedPerson: patient(8) } },
        criteria: own,
      },
      { request: { case: "deleteRelatedPerson", value: { id: "" } }, criteria: own },
    ],
  });
  const asked = askedBy(TransactionService.method.processTransaction, request) ?? [];
  expect(asked.map(({ interaction, subjects }) => [interaction, subjects()])).toEqual([
    ["create RelatedPerson", [{ id: 8n }]],
    ["search RelatedPerson", [{ id: 7n }]],
    ["update RelatedPerson", [{ id: 9n }, { id: 8n }]],
    ["search RelatedPerson", [{ id: 7n }]],
    ["delete RelatedPerson", [{ id: 7n }]],
    ["search RelatedPerson", [{ id: 7n }]],
  ]);
});

test("a reference to another entry names whom that names, not who has the id in its text", () => {
  const contactOf = (reference: string) => ({
    request: {
      case: "createRelatedPerson",
      value: { relatedPerson: { patient: { reference } } },
    } as const,
    fullUrl: "http://his.example/fhir/RelatedPerson/1",
  });
  const request = create(ProcessTransactionRequestSchema, {
    entries: [
      {
        request: { case: "updatePatient", value: { id: "7" } },
        fullUrl: "http://his.example/fhir/Patient/42",
      },
      { request: { case: "createPatient", value: {} }, fullUrl: "http://his.example/fhir/Patient/43" },
      { request: { case: "createPatient", value: {} }, fullUrl: "https://mpi.example.ee/fhir/Patient/45" },
      contactOf("Patient/42"),
      contactOf("http://his.example/fhir/Patient/42/_history/2"),
      contactOf("Patient/43"),
      contactOf("http://his.example/fhir/Patient/43"),
      contactOf("Patient/44"),
      { ...contactOf("Patient/44"), fullUrl: "urn:uuid:5c7ab6d4-7a4b-4d5e-9f0e-3f6f4b1f0a11" },
      { ...contactOf("Patient/44"), fullUrl: "https://mpi.example.ee/fhir/RelatedPerson/1" },
      { ...contactOf("Patient/45"), fullUrl: "https://mpi.example.ee/fhir/RelatedPerson/1" },
      contactOf("https://mpi.example.ee/fhir/Patient/45"),
      { ...contactOf("Patient/42"), literalReferences: true },
    ],
    bases: ["https://mpi.example.ee/fhir"],
  });
  const asked = askedBy(TransactionService.method.processTransaction, request) ?? [];
  expect(asked.slice(3).map((one) => one.subjects())).toEqual([
    [{ id: 7n }],
    [{ id: 7n }],
    ["nobody"],
    ["nobody"],
    ["nobody"],
    [{ id: 44n }],
    [{ id: 44n }],
    ["nobody"],
    ["nobody"],
    [{ id: 42n }],
  ]);
});

test("an absolute reference to no entry names a patient below a base of the index, and nobody elsewhere", () => {
  const askedWith = (bases: string[]) => {
    const patient = { reference: "https://mpi.example.ee/fhir/Patient/7" };
    const entries = [
      { request: { case: "createRelatedPerson", value: { relatedPerson: { patient } } } as const },
    ];
    const request = create(ProcessTransactionRequestSchema, { entries, bases });
    return askedBy(TransactionService.method.processTransaction, request)?.map((one) => one.subjects());
  };
  expect(askedWith(["https://mpi.example.ee/fhir"])).toEqual([[{ id: 7n }]]);
  expect(askedWith(["https://other.example/fhir"])).toEqual([["nobody"]]);
  expect(askedWith([])).toEqual([["nobody"]]);
  const others = Array.from({ length: 99 }, (_, n) => `https://${n}.example/fhir`);
  expect(askedWith([...others, "HTTPS://MPI.example.ee:443/fhir"])).toEqual([[{ id: 7n }]]);
  // Of more bases a transaction is refused, so no more are looked at.
  expect(askedWith([...others, "https://100.example/fhir", "https://mpi.example.ee/fhir"])).toEqual([
    ["nobody"],
  ]);
});

test("a full URL that is too long, for which a transaction is refused, is none", () => {
  const patient = { reference: "Patient/7" };
  const value = { relatedPerson: { patient } };
  const fullUrl = `https://his.example/${"x".repeat(2000)}/RelatedPerson/1`;
  const entries = [{ fullUrl, request: { case: "createRelatedPerson", value } as const }];
  const request = create(ProcessTransactionRequestSchema, { entries });
  const asked = askedBy(TransactionService.method.processTransaction, request) ?? [];
  expect(asked.map((one) => one.subjects())).toEqual([[{ id: 7n }]]);
});

test("a validation asks for the write that it is of", () => {
  const entry = { request: { case: "updateObservation", value: { id: "70002" } } } as const;
  const asked = askedBy(
    TransactionService.method.validateEntry,
    create(ValidateEntryRequestSchema, { entry }),
  );
  expect(asked?.map(({ interaction }) => interaction)).toEqual(["update Observation"]);
});

test("an entry that asks for nothing asks for no right: it is refused for what it lacks", () => {
  const { processTransaction, validateEntry } = TransactionService.method;
  const transaction = create(ProcessTransactionRequestSchema, { entries: [{}, { criteria }] });
  expect(askedBy(processTransaction, transaction)).toEqual([]);
  expect(askedBy(validateEntry, create(ValidateEntryRequestSchema, {}))).toEqual([]);
  expect(askedBy(validateEntry, create(ValidateEntryRequestSchema, { entry: {} }))).toEqual([]);
});
