import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { SearchPatientsResponseSchema } from "#proto/patientindex/v1/patient_service_pb.ts";
import { TransactionEntrySchema } from "#proto/patientindex/v1/transaction_service_pb.ts";
import { processTransaction, type Transactions } from "../../src/transactions/index.ts";

/** Whatever is asked of the index is too much. */
const transactions: Transactions = {
  work: { run: (work) => work(), lockPatients: async () => new Map() },
  askingAhead: () => Promise.reject(new Error("The transaction was begun.")),
  inTurn: (_entries, work) => work(),
  holders: async () => [],
  perform: () => Promise.reject(new Error("An entry was done.")),
};

const refused = (fullUrl: string, bases: readonly string[]) =>
  processTransaction(transactions, {
    entries: [
      create(TransactionEntrySchema, { fullUrl, request: { case: "createPatient", value: { patient: {} } } }),
    ],
    bases: [...bases],
  }).catch((error: unknown) => error);

const bases = (count: number) => Array.from({ length: count }, (_, n) => `https://${n}.example/fhir`);

test("more bases than are compared with each reference refuse a transaction", async () => {
  expect(await refused("", bases(101))).toMatchObject({
    issues: [{ meaning: "ELEMENT_REPEATED_TOO_OFTEN", expression: ["bases"] }],
  });
  expect(await refused("", bases(100))).toMatchObject({ message: "The transaction was begun." });
});

test("a full URL that would be looked through for each reference, and is too long for that, refuses a transaction", async () => {
  const ofLength = (length: number) =>
    `https://his.example/${"x".repeat(length - "https://his.example//Patient/42".length)}/Patient/42`;
  expect(await refused(ofLength(2001), [])).toMatchObject({
    issues: [{ meaning: "PRIMITIVE_INVALID", expression: ["Bundle.entry[0].fullUrl"] }],
  });
  expect(await refused(ofLength(2000), [])).toMatchObject({ message: "The transaction was begun." });
});

test("references by a search are looked for up to a thousand in a transaction: each is a question to the database", async () => {
  let searches = 0;
  const asking: Transactions = {
    ...transactions,
    askingAhead: (_entries, work) => work(),
    async perform(method) {
      if (method === "searchPatients") searches++;
      return create(SearchPatientsResponseSchema);
    },
  };
  const contact = (count: number) => {
    const reference = (n: number) => `Patient?identifier=https://fhir.ee/sid/pid/fin/ni|${count}-${n}`;
    const extension = Array.from({ length: count }, (_, n) => ({
      url: "https://x.example/other",
      value: { case: "valueReference", value: { reference: reference(n) } } as const,
    }));
    const request = { case: "createRelatedPerson", value: { relatedPerson: { extension } } } as const;
    return create(TransactionEntrySchema, { request });
  };
  const error = await processTransaction(asking, { entries: [contact(600), contact(401)], bases: [] }).catch(
    (refusal: unknown) => refusal,
  );
  expect(searches).toBe(600);
  const { issues } = error as { issues: { meaning: string; expression: string[] }[] };
  expect(issues.filter(({ meaning }) => meaning === "ELEMENT_REPEATED_TOO_OFTEN")).toMatchObject([
    { expression: ["Bundle.entry[1].resource.extension[400].value"] },
  ]);
});
