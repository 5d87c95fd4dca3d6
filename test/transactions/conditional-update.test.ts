import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { SearchPatientsResponseSchema } from "#proto/patientindex/v1/patient_service_pb.ts";
import {
  type TransactionEntry,
  TransactionEntrySchema,
} from "#proto/patientindex/v1/transaction_service_pb.ts";
import { MpiError } from "../../src/errors/index.ts";
import { processTransaction, type Transactions } from "../../src/transactions/index.ts";

/** An index in which nobody fits, and a creation is refused for what was asked for beside the body. */
const transactions: Transactions = {
  work: { run: (work) => work(), lockPatients: async () => new Map() },
  askingAhead: (_entries, work) => work(),
  inTurn: (_entries, work) => work(),
  holders: async () => [],
  async perform(method) {
    if (method === "searchPatients") return create(SearchPatientsResponseSchema);
    throw new MpiError("SEARCH_PARAMETERS_UNSUITABLE", {}, { expression: ["http.identifier"] });
  },
};

const criteria = [{ name: "identifier", value: "https://fhir.ee/sid/pid/fin/ni|131052-308T" }];

const refused = (request: "createPatient" | "updatePatient") =>
  processTransaction(transactions, {
    entries: [
      create(TransactionEntrySchema, { criteria, request: { case: request, value: { patient: {} } } }),
    ],
    bases: [],
  }).catch((error: unknown) => error);

test("what is wrong with the query of an update is placed in its address, also where nobody fits and it creates", async () => {
  expect(await refused("updatePatient")).toMatchObject({
    issues: [{ expression: ["Bundle.entry[0].request.url"] }],
  });
});

test("what is wrong with that of a creation is placed in its condition", async () => {
  expect(await refused("createPatient")).toMatchObject({
    issues: [{ expression: ["Bundle.entry[0].request.ifNoneExist"] }],
  });
});

test.each(["updatePatient", "deleteRelatedPerson"] as const)(
  "%s by an id and by criteria is refused: they may mean two resources",
  async (method) => {
    const asked: string[] = [];
    const noting: Transactions = {
      ...transactions,
      perform(method, request) {
        asked.push(method);
        return transactions.perform(method, request);
      },
    };
    const request = { case: method, value: { id: "7" } } as TransactionEntry["request"];
    const error = await processTransaction(noting, {
      entries: [create(TransactionEntrySchema, { criteria, request })],
      bases: [],
    }).catch((error: unknown) => error);
    expect(error).toMatchObject({
      issues: [{ meaning: "ENTRY_NAMED_TWICE", expression: ["Bundle.entry[0].request"] }],
    });
    expect(asked).toEqual([]);
  },
);
