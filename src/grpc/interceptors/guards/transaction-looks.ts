import { create, type Message } from "@bufbuild/protobuf";
import {
  type ProcessTransactionRequest,
  ProcessTransactionRequestSchema,
  type ProcessTransactionResponse,
  TransactionService,
} from "#proto/patientindex/v1/transaction_service_pb.ts";
import { isLookAtNobody } from "../../../audit/index.ts";
import { callContextOf } from "../../calls/call-context.ts";
import type { Call } from "../interceptor.ts";

/**
 * The entries of a transaction that were answered with nobody, as a transaction of their own: each is a look at whom it
 * names, as it would be alone, whomever the others tell of. Undefined where there are none.
 */
export function looksAtNobody({ method, request }: Call, answer: Message): Message | undefined {
  if (method !== TransactionService.method.processTransaction) return undefined;
  const { entries, bases } = request as ProcessTransactionRequest;
  const { results } = answer as ProcessTransactionResponse;
  const looks = entries.filter((_entry, at) => results[at] && isLookAtNobody(results[at]));
  return looks.length > 0 ? create(ProcessTransactionRequestSchema, { entries: looks, bases }) : undefined;
}

/**
 * The patients whose entry is there already and stands for all that the call did with them. Of a transaction an entry that is
 * there is that of a write in it, and tells nothing of what else was looked at.
 */
export function tellingAll({ method, context }: Call): Iterable<bigint> {
  if (method === TransactionService.method.processTransaction) return [];
  return callContextOf(context).accesses.recorded;
}
