import type { DescMethod, Message } from "@bufbuild/protobuf";
import { type CreatePatientsRequest, PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import {
  type AuditEntry,
  type AuditTrail,
  contentByMethod,
  type MetPatients,
  meet,
  meetPatients,
  resourcesMet,
} from "../../../audit/index.ts";
import { isUnknown } from "../../../call/caller.ts";
import { defaultErrorSystems, MpiError, renderError } from "../../../errors/index.ts";
import { mostLoaded } from "../../../patients/index.ts";
import { callContextOf } from "../../calls/call-context.ts";
import { methodName } from "../current-call.ts";
import { refusedWith } from "../errors.ts";
import { type Call, type Interceptor, isStream, type Payload } from "../interceptor.ts";
import { namedInVain, tellingAll } from "./transaction-looks.ts";

export interface AuditOptions {
  readonly trail: AuditTrail;
  readonly now: () => Date;
  /** Ids of the first `most` patients that a request names, for when its answer names nobody. */
  readonly named: (
    method: DescMethod,
    request: Message,
    most: number | undefined,
  ) => readonly bigint[] | Promise<readonly bigint[]>;
}

/** How many patients a caller names of whom nothing is known: who it was that they asked for says nothing of it. */
const MOST_NAMED_BY_UNKNOWN = 1;

/**
 * Leaves an entry in the audit trail for each patient whose data a call has met, answered or refused, before its answer
 * goes out; what cannot be recorded is not answered. A write has its entry already, from its own transaction, and so may
 * a read.
 */
export function audited(options: AuditOptions): Interceptor {
  return async (call, next) => {
    let answer: Payload;
    try {
      answer = await next(call);
    } catch (error) {
      await recordRefusal(call, error, options);
      throw error;
    }
    if (isStream(answer)) return auditedStream(answer, call, options);
    const named = namedInVain(call, answer, (part) => options.named(call.method, part, undefined));
    await recordAnswer(call, [answer], options, named && (await named));
    return answer;
  };
}

/** Each message is recorded before it leaves; a stream that tells of nobody has one entry at its end. */
async function* auditedStream(
  stream: AsyncIterable<Message>,
  call: Call,
  options: AuditOptions,
): AsyncGenerator<Message> {
  let isRecorded = false;
  try {
    for await (const message of stream) {
      const entries = [
        ...entriesOf(call, metIn(call, [message]), undefined, options),
        ...refusedParts(call, options),
      ];
      if (entries.length > 0) await options.trail.record(entries);
      isRecorded ||= entries.length > 0;
      yield message;
    }
  } catch (error) {
    await recordRefusal(call, error, options);
    throw error;
  }
  if (!isRecorded) await recordAnswer(call, [], options);
}

/** An answer that names nobody leaves an entry all the same: of those whom the request named, or of nobody. */
function recordAnswer(
  call: Call,
  answers: readonly Message[],
  options: AuditOptions,
  named: readonly bigint[] = [],
): Promise<void> {
  const { accesses } = callContextOf(call.context);
  const met = metIn(call, answers);
  for (const patientId of accesses.looked) meet(met, patientId);
  for (const patientId of named) meet(met, patientId);
  for (const patientId of tellingAll(call)) met.delete(patientId);
  const entries = [...refusedParts(call, options), ...entriesOf(call, met, undefined, options)];
  const isRecorded = entries.length > 0 || accesses.recorded.size > 0;
  return isRecorded ? options.trail.record(entries) : recordNamed(call, undefined, options);
}

/** Parts of a call that were refused by themselves, each as the call of its own that it might have been. */
function refusedParts(call: Call, options: AuditOptions): AuditEntry[] {
  const refusals = callContextOf(call.context).accesses.takeRefusals();
  if (refusals.length === 0) return [];
  const ofNobody = entryOfNobody(call, options);
  return refusals.map((refusal) => ({ ...ofNobody, refusal }));
}

async function recordRefusal(call: Call, error: unknown, options: AuditOptions): Promise<void> {
  if (isTurnedAway(call, error)) return;
  const { version, language } = callContextOf(call.context);
  const presentation = { version, language, systems: defaultErrorSystems };
  const { message } = renderError(refusedWith(error, call.context.signal), presentation);
  await recordNamed(call, message, options);
}

/** Somebody unknown who calls too often could fill the trail. */
function isTurnedAway(call: Call, error: unknown): boolean {
  return error instanceof MpiError && error.says("TOO_MANY_REQUESTS") && isOfUnknown(call);
}

function isOfUnknown({ context }: Call): boolean {
  const { caller, known } = callContextOf(context);
  return isUnknown(caller ?? known);
}

/** For those whom the request named and those who were looked at; without any, an entry of nobody for each part of it. */
async function recordNamed(call: Call, refusal: string | undefined, options: AuditOptions): Promise<void> {
  const met = await namedIn(call, options);
  for (const patientId of callContextOf(call.context).accesses.looked) meet(met, patientId);
  const entries = entriesOf(call, met, refusal, options);
  if (entries.length === 0) {
    const ofNobody = { ...entryOfNobody(call, options), refusal };
    entries.push(...Array<AuditEntry>(partsOf(call)).fill(ofNobody));
  }
  await options.trail.record(entries);
}

/** How many calls it stands for: a batch of creations for each of them, or for as many as there may be. */
function partsOf(call: Call): number {
  const { method, request } = call;
  const isOne = isStream(request) || method !== PatientService.method.createPatients || isOfUnknown(call);
  if (isOne) return 1;
  return Math.min(Math.max(1, (request as CreatePatientsRequest).patients.length), mostLoaded);
}

function metIn({ method }: Call, answers: readonly Message[]): MetPatients {
  const met: MetPatients = new Map();
  for (const answer of answers) meetPatients(method.output, answer, met);
  return met;
}

async function namedIn(call: Call, { named }: AuditOptions): Promise<MetPatients> {
  const { method, request } = call;
  const met: MetPatients = new Map();
  if (isStream(request)) return met;
  const most = isOfUnknown(call) ? MOST_NAMED_BY_UNKNOWN : undefined;
  for (const patientId of await named(method, request, most)) meet(met, patientId);
  return met;
}

/** One for each patient. */
function entriesOf(
  call: Call,
  met: MetPatients,
  refusal: string | undefined,
  options: AuditOptions,
): AuditEntry[] {
  if (met.size === 0) return [];
  const shared = { ...entryOfNobody(call, options), refusal };
  return [...met].map(([patientId, met]) => {
    const resources = resourcesMet(patientId, met);
    return { ...shared, patientId, ...(resources.length > 0 && { resources }) };
  });
}

/** What all entries of a call say. */
function entryOfNobody({ context }: Call, { now }: AuditOptions): AuditEntry {
  const { requestId, caller, known } = callContextOf(context);
  const content = contentByMethod({ method: methodName(context), requestId, caller: caller ?? known });
  return { ...content, recordedAt: now(), patientId: undefined };
}
