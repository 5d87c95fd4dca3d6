import type { DescMethod, Message } from "@bufbuild/protobuf";
import {
  type AuditEntry,
  type AuditTrail,
  actionOf,
  contentOfCall,
  type MetPatients,
  meet,
  meetPatients,
} from "../../audit/index.ts";
import { defaultErrorSystems, renderError } from "../../errors/index.ts";
import { callContextOf } from "../call-context.ts";
import { methodName } from "./current-call.ts";
import { refusedWith } from "./errors.ts";
import { type Call, type Interceptor, isStream, type Payload } from "./interceptor.ts";

export interface AuditOptions {
  readonly trail: AuditTrail;
  readonly now: () => Date;
  /** Ids of the patients that a request names, for when its answer names nobody. */
  readonly named: (method: DescMethod, request: Message) => readonly bigint[] | Promise<readonly bigint[]>;
}

/**
 * Leaves an entry in the audit trail for each patient whose data a call has met, answered or refused, before its answer
 * goes out; what cannot be recorded is not answered. A write has its entry already, from its own transaction.
 */
export function audited(options: AuditOptions): Interceptor {
  return async (call, next) => {
    const answer = await answerTo(call, next, options);
    if (isStream(answer)) return auditedStream(answer, call, options);
    await recordAnswer(call, [answer], options);
    return answer;
  };
}

async function answerTo(
  call: Call,
  next: Parameters<Interceptor>[1],
  options: AuditOptions,
): Promise<Payload> {
  try {
    return await next(call);
  } catch (error) {
    await recordRefusal(call, error, options);
    throw error;
  }
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
      const met = metIn(call, [message]);
      if (met.size > 0) await record(call, met, undefined, options);
      const hasRefused = await recordRefusedParts(call, options);
      isRecorded ||= met.size > 0 || hasRefused;
      yield message;
    }
  } catch (error) {
    await recordRefusal(call, error, options);
    throw error;
  }
  if (!isRecorded) await recordAnswer(call, [], options);
}

/** An answer that names nobody leaves an entry all the same: of those whom the request named, or of nobody. */
async function recordAnswer(call: Call, answers: readonly Message[], options: AuditOptions): Promise<void> {
  const { accesses } = callContextOf(call.context);
  const met = metIn(call, answers);
  for (const patientId of accesses.looked) meet(met, patientId);
  for (const patientId of accesses.written) met.delete(patientId);
  const hasRefused = await recordRefusedParts(call, options);
  if (met.size === 0 && (hasRefused || accesses.written.size > 0)) return;
  await record(call, met.size > 0 ? met : await namedIn(call, options), undefined, options);
}

/** Parts of a call that were refused by themselves, each as the call of its own that it might have been. */
async function recordRefusedParts(call: Call, { trail, now }: AuditOptions): Promise<boolean> {
  const refusals = callContextOf(call.context).accesses.takeRefusals();
  if (refusals.length === 0) return false;
  const shared = { ...sharedContent(call), recordedAt: now(), patientId: undefined };
  await trail.record(refusals.map((refusal) => ({ ...shared, refusal })));
  return true;
}

async function recordRefusal(call: Call, error: unknown, options: AuditOptions): Promise<void> {
  const { version, language, accesses } = callContextOf(call.context);
  const presentation = { version, language, systems: defaultErrorSystems };
  const { message } = renderError(refusedWith(error, call.context.signal), presentation);
  const met = await namedIn(call, options);
  for (const patientId of accesses.looked) meet(met, patientId);
  await record(call, met, message, options);
}

function metIn({ method }: Call, answers: readonly Message[]): MetPatients {
  const met: MetPatients = new Map();
  for (const answer of answers) meetPatients(method.output, answer, met);
  return met;
}

async function namedIn({ method, request }: Call, { named }: AuditOptions): Promise<MetPatients> {
  const met: MetPatients = new Map();
  if (isStream(request)) return met;
  for (const patientId of await named(method, request)) meet(met, patientId);
  return met;
}

async function record(
  call: Call,
  met: MetPatients,
  refusal: string | undefined,
  { trail, now }: AuditOptions,
): Promise<void> {
  const shared = { ...sharedContent(call), refusal, recordedAt: now() };
  const entries: AuditEntry[] = [...met].map(([patientId, resources]) => ({
    ...shared,
    patientId,
    ...(resources.size > 0 && { resources: [...resources] }),
  }));
  await trail.record(entries.length > 0 ? entries : [{ ...shared, patientId: undefined }]);
}

function sharedContent({ context }: Call) {
  const { requestId, caller, known } = callContextOf(context);
  const method = methodName(context);
  return { ...contentOfCall({ method, requestId, caller: caller ?? known }), action: actionOf(method) };
}
