import { create, isMessage, type Message } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { ErrorDetails } from "#proto/patientindex/v1/error_details_pb.ts";
import {
  type TransactionEntry,
  type TransactionResult,
  TransactionResultSchema,
  type TransactionService,
} from "#proto/patientindex/v1/transaction_service_pb.ts";
import type { Turns } from "../../concurrency/turns.ts";
import { type ErrorSystems, GrpcStatus, MpiError, renderError } from "../../errors/index.ts";
import { identifierTokenOf } from "../../identifiers/index.ts";
import { addressesAskedAhead, type PatientIndex, type PatientWrite } from "../../patients/index.ts";
import {
  type MethodName,
  processTransaction,
  type Transactions,
  type UnitOfWork,
  validateEntry,
} from "../../transactions/index.ts";
import { callContextOf } from "../calls/call-context.ts";
import type { PartOfCall } from "../interceptors/index.ts";

/** Refusals that say something of what was asked, not of the service. */
const OF_CONTENT: ReadonlySet<GrpcStatus> = new Set([
  GrpcStatus.INVALID_ARGUMENT,
  GrpcStatus.NOT_FOUND,
  GrpcStatus.FAILED_PRECONDITION,
  GrpcStatus.ALREADY_EXISTS,
  GrpcStatus.ABORTED,
]);

/** Bytes of what is wrong with a resource: a message, unlike trailers, has room. */
const LARGEST_REPORT = 1024 * 1024;

interface TransactionParts {
  readonly work: UnitOfWork;
  /** How many entries are worked on at once. */
  readonly turns: Turns;
  readonly parts: PartOfCall;
  readonly patients: PatientIndex;
  readonly systems: ErrorSystems;
}

/** TransactionService on the methods of the other services. */
export function transactionService({
  work,
  turns,
  parts,
  patients,
  systems,
}: TransactionParts): ServiceImpl<typeof TransactionService> {
  const transactionsOf = (context: HandlerContext): Transactions => ({
    work,
    perform: (method, request) => parts(method, request, context),
    async holders(identifier) {
      const token = identifierTokenOf(identifier);
      return token ? await patients.store.holders([token]) : [];
    },
    inTurn: (entries, doAll) => turns.take(entries, doAll),
    askingAhead: (entries, doAll) => addressesAskedAhead(patients, entries.flatMap(patientWrite), doAll),
  });
  return {
    async processTransaction(request, context) {
      const results = await processTransaction(transactionsOf(context), request);
      return { results: results.map(({ method, response }) => resultOf(method, response)) };
    },
    async validateEntry({ entry }, context) {
      try {
        await validateEntry(transactionsOf(context), entry);
        return {};
      } catch (error) {
        const { issues, omittedIssues } = detailsOfContent(error, context, systems);
        return { issues, omittedIssues };
      }
    },
  };
}

function patientWrite({ request }: TransactionEntry): PatientWrite[] {
  if (request.case !== "createPatient" && request.case !== "updatePatient") return [];
  const { patient, ...named } = request.value;
  return patient ? [{ patient, ...("id" in named && { id: named.id }) }] : [];
}

function resultOf(method: MethodName, response: Message): TransactionResult {
  const field = TransactionResultSchema.field[method];
  if (!field.message) throw new TypeError(`${method} has no place in the results of a transaction`);
  const value = isMessage(response, field.message)
    ? response
    : create(field.message, { ...(response as object) });
  // Which case goes with which message is known by its field alone.
  const chosen = { case: method, value } as unknown as TransactionResult["response"];
  return create(TransactionResultSchema, { response: chosen });
}

/** What is wrong with the content; that there is no such resource, and anything else, is thrown. */
function detailsOfContent(error: unknown, context: HandlerContext, systems: ErrorSystems): ErrorDetails {
  if (!(error instanceof MpiError)) throw error;
  const { version, language } = callContextOf(context);
  const { status, details } = renderError(error, { version, language, systems }, LARGEST_REPORT);
  const [issue] = details.issues;
  const isAbsent = status === GrpcStatus.NOT_FOUND && issue?.expressions.length === 0;
  if (isAbsent || !OF_CONTENT.has(status)) throw error;
  return details;
}
