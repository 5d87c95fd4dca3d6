import { create, type Message } from "@bufbuild/protobuf";
import { SearchPatientsRequestSchema } from "#proto/patientindex/v1/patient_service_pb.ts";
import {
  type ProcessTransactionRequest,
  ProcessTransactionRequestSchema,
  type ProcessTransactionResponse,
  type TransactionEntry,
  TransactionEntrySchema,
  type TransactionResult,
  TransactionService,
} from "#proto/patientindex/v1/transaction_service_pb.ts";
import { isLookAtNobody } from "../../../audit/index.ts";
import { callContextOf } from "../../calls/call-context.ts";
import type { Call } from "../interceptor.ts";

const { processTransaction } = TransactionService.method;

/** Ids of the patients that a transaction names. */
type Named = (transaction: Message) => readonly bigint[] | Promise<readonly bigint[]>;

/**
 * Ids of those whom parts of a transaction name that found nobody: each is a look at them, as it would be alone, whomever
 * the other parts tell of. Undefined of any other call.
 */
export function namedInVain(
  { method, request, context }: Call,
  answer: Message,
  named: Named,
): Promise<readonly bigint[]> | undefined {
  if (method !== processTransaction) return undefined;
  const { entries, bases } = request as ProcessTransactionRequest;
  const { results } = answer as ProcessTransactionResponse;
  const namedBy = async (looks: TransactionEntry[]) =>
    looks.length === 0 ? [] : await named(create(ProcessTransactionRequestSchema, { entries: looks, bases }));
  const reads = entries.filter((_entry, at) => results[at] && isLookAtNobody(results[at]));
  const conditions = entries.flatMap((entry, at) => conditionInVain(entry, results[at]));
  return Promise.all([namedBy(reads), namedBy(conditions)]).then(([byReads, byConditions]) => {
    // By its identifiers a condition may name whom it has had created.
    const { recorded } = callContextOf(context).accesses;
    return [...byReads, ...byConditions.filter((id) => !recorded.has(id))];
  });
}

/** The search that a patient was created for, as nobody fits it. By one criterion alone it is of nobody who was there. */
function conditionInVain({ criteria }: TransactionEntry, result: TransactionResult | undefined) {
  if (result?.response.case !== "createPatient" || criteria.length < 2) return [];
  const value = create(SearchPatientsRequestSchema, { parameters: criteria });
  return [create(TransactionEntrySchema, { request: { case: "searchPatients", value } })];
}

/**
 * The patients whose entry is there already and stands for all that the call did with them. Of a transaction an entry that is
 * there is that of a write in it, and tells nothing of what else was looked at.
 */
export function tellingAll({ method, context }: Call): Iterable<bigint> {
  return method === processTransaction ? [] : callContextOf(context).accesses.recorded;
}
