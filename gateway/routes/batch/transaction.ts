import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type TransactionEntry,
  TransactionEntrySchema,
  type TransactionResult,
} from "#proto/patientindex/v1/transaction_service_pb.ts";
import { fewAtOnce } from "../../../src/concurrency/few-at-once.ts";
import { MpiError } from "../../../src/errors/index.ts";
import { responseBundle } from "../../bundle/response.ts";
import { type Answer, jsonAnswer, present } from "../../exchange/answer.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import { isConditionalWrite } from "../../exchange/preconditions.ts";
import { failureAnswer } from "../../outcome/failure.ts";
import { inWordsOfHttp } from "../../outcome/named-anew.ts";
import { doingAnew } from "../doing-anew.ts";
import { AnswerRoom, ROOM_OF_PATCHES } from "./answer-room.ts";
import { type AnsweredEntry, type BegunEntry, beginEntry, type WaitingEntry } from "./begun-entry.ts";
import type { BundleEntry } from "./entries.ts";
import { soundEntries } from "./entry-failures.ts";
import type { Routes } from "./entry-request.ts";
import { responseEntry } from "./entry-response.ts";

/** What the core gave for an entry. */
type CoreResponse = TransactionResult["response"];

const BEGUN_AT_ONCE = 8;

/**
 * Answers a transaction: all of its entries are done, or none (FHIR http.html, 3.2.0.11.2). Each entry is begun by
 * the interaction that answers it alone, up to its call of the core; these calls go to the core as one.
 */
export async function answerTransaction(
  request: FhirRequest,
  entries: readonly BundleEntry[],
  routes: Routes,
): Promise<Answer> {
  const hasFreePatch = entries.some(isFreePatch);
  try {
    return await doingAnew(
      request,
      () => answerOnce(request, entries, routes),
      (error) => hasFreePatch && isConflict(error),
    );
  } catch (error) {
    if (!isConflict(error)) throw error;
    return conflictAnswer(request, entries, error);
  }
}

async function answerOnce(
  request: FhirRequest,
  entries: readonly BundleEntry[],
  routes: Routes,
): Promise<Answer> {
  const begun = soundEntries(await beginAll(request, entries, routes));
  const waiting = begun.filter((one) => "call" in one);
  const { results } = await request.gateway.core.transactions
    .processTransaction({ entries: waiting.map(transactionEntry), bases: request.bases }, request.call)
    .catch(inWordsOfHttp);
  const responses = new Map<AnsweredEntry, CoreResponse>(
    waiting.map((one, index) => [one, present(results[index]).response]),
  );
  for (const one of waiting) one.call.settle(present(responses.get(one)));
  const answered = begun.map(async (one) =>
    responseEntry(await answerOf(one, responses.get(one)), one.entry.method),
  );
  return jsonAnswer(request, 200, responseBundle("transaction", await Promise.all(answered)));
}

/** Begins the entries, a few at a time: what patches find is kept until all are done. */
async function beginAll(
  request: FhirRequest,
  entries: readonly BundleEntry[],
  routes: Routes,
): Promise<BegunEntry[]> {
  const room = new AnswerRoom(ROOM_OF_PATCHES);
  return await fewAtOnce(entries, BEGUN_AT_ONCE, async (entry) => {
    const one = await beginEntry(request, entry, routes, room);
    if ("call" in one && entry.method === "PATCH") room.hold(one.call.request);
    return one;
  });
}

function transactionEntry({ call, entry, criteria, unwantedEtags }: WaitingEntry): TransactionEntry {
  return create(TransactionEntrySchema, {
    fullUrl: hasAddressOfPatch(entry) ? "" : entry.fullUrl,
    criteria: [...criteria],
    mustExist: entry.conditions["if-match"] !== undefined,
    unwantedEtags: [...unwantedEtags],
    request: call.request,
  });
}

/** References in what a patch finds are to the index, whatever the fullUrl of the patch is. */
function hasAddressOfPatch({ method, fullUrl }: BundleEntry): boolean {
  return method === "PATCH" && !fullUrl.startsWith("urn:");
}

/** What the interaction answers, with the status of what was done in the end where that was conditional. */
async function answerOf({ entry, answer: given }: AnsweredEntry, response?: CoreResponse): Promise<Answer> {
  const { method } = entry;
  const answer = await given;
  const done = response?.case ?? "";
  if (method === "POST" && done.startsWith("read")) return { ...answer, status: 200 };
  if (method === "PUT" && done.startsWith("create")) return { ...answer, status: 201 };
  if (method === "DELETE" && answer.headers["etag"] === "") return { ...answer, headers: {} };
  return answer;
}

/** Another version is there than an entry asks for, or than it was begun with. */
function isConflict(error: unknown): boolean {
  if (error instanceof ConnectError) return error.code === Code.Aborted;
  return error instanceof MpiError && error.says("VERSION_CONFLICT");
}

/** A patch of whatever version is there in the end. */
function isFreePatch({ method, conditions }: BundleEntry): boolean {
  return method === "PATCH" && !isConditionalWrite(conditions);
}

function conflictAnswer(
  { presentation, answerForm: form }: FhirRequest,
  entries: readonly BundleEntry[],
  error: unknown,
): Answer {
  const isConditional = entries.some(({ conditions }) => isConditionalWrite(conditions));
  return failureAnswer(error, { ...presentation, isConditional, form });
}
