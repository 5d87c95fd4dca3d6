import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import { TransactionEntrySchema, TransactionService } from "#proto/patientindex/v1/transaction_service_pb.ts";
import { contact } from "../dependents.ts";
import { calls, messageOf } from "../grpc-calls.ts";
import { holdersOfOneNumber, PID, verified } from "../people.ts";
import { FHIR_JSON } from "../requests.ts";
import type { Exchange, Json, Scenario } from "../scenario.ts";

const NOBODY = "urn:uuid:7c1b3f0e-0000-4000-8000-000000000001";
const { processTransaction } = TransactionService.method;

/** What only several requests in one can meet. */
export const transactionScenarios: readonly Scenario[] = [
  {
    meaning: "RESOURCE_REPEATED",
    code: "MPI-096",
    issueType: "business-rule",
    expression: "Bundle.entry[1].request.url",
    async prepare(index): Promise<Exchange> {
      const body = verified();
      const { id } = await index.store(body);
      const entry = { resource: body, request: { method: "PUT", url: `Patient/${id}` } };
      const patient = messageOf(PatientSchema, body);
      const replacement = entryOf({ case: "updatePatient", value: { id, patient } });
      return {
        http: transaction([entry, entry]),
        grpc: calls(processTransaction, { entries: [replacement, replacement] }),
      };
    },
  },
  {
    meaning: "ENTRY_NAMED_TWICE",
    only: "grpc",
    code: "MPI-096",
    issueType: "business-rule",
    expression: "Bundle.entry[0].request",
    prepare(): Exchange {
      const criteria = [{ name: "_id", value: "1" }];
      const request = { case: "deleteRelatedPerson", value: { id: "20001" } } as const;
      return {
        grpc: calls(processTransaction, {
          entries: [create(TransactionEntrySchema, { criteria, request })],
        }),
      };
    },
  },
  {
    meaning: "REFERENCE_UNRESOLVED",
    code: "MPI-096",
    issueType: "not-found",
    expression: "Bundle.entry[0].resource.patient",
    prepare(): Exchange {
      const body = contact(NOBODY);
      const relatedPerson = messageOf(RelatedPersonSchema, body);
      return {
        http: transaction([{ resource: body, request: { method: "POST", url: "RelatedPerson" } }]),
        grpc: calls(processTransaction, {
          entries: [entryOf({ case: "createRelatedPerson", value: { relatedPerson } })],
        }),
      };
    },
  },
  {
    meaning: "CONDITION_NOT_SELECTIVE",
    only: "grpc",
    code: "MPI-400",
    issueType: "multiple-matches",
    expression: "Bundle.entry[0]",
    status: { grpc: 9 },
    async prepare(index): Promise<Exchange> {
      const criteria = [{ name: "identifier", value: `${PID}|${await holdersOfOneNumber(index)}` }];
      const patient: Patient = messageOf(PatientSchema, verified());
      const creation = { case: "createPatient", value: { patient } } as const;
      return {
        grpc: calls(processTransaction, {
          entries: [create(TransactionEntrySchema, { criteria, request: creation })],
        }),
      };
    },
  },
  {
    meaning: "CONDITION_FITS_NOTHING",
    code: "MPI-400",
    issueType: "conflict",
    expression: "Bundle.entry[0].request.ifMatch",
    status: { http: 412, grpc: 9 },
    prepare(): Exchange {
      const body = verified();
      const criteria = [{ name: "_id", value: "999999999" }];
      const request = { method: "PUT", url: "Patient?_id=999999999", ifMatch: "*" };
      const replacement = {
        case: "updatePatient",
        value: { patient: messageOf(PatientSchema, body) },
      } as const;
      return {
        http: transaction([{ resource: body, request }]),
        grpc: calls(processTransaction, {
          entries: [create(TransactionEntrySchema, { criteria, mustExist: true, request: replacement })],
        }),
      };
    },
  },
];

type EntryInit = MessageInitShape<typeof TransactionEntrySchema>;

function entryOf(request: NonNullable<EntryInit["request"]>) {
  return create(TransactionEntrySchema, { request });
}

function transaction(entry: readonly Json[]): NonNullable<Exchange["http"]> {
  const body = { resourceType: "Bundle", type: "transaction", entry };
  return { method: "POST", path: "", headers: FHIR_JSON, body };
}
