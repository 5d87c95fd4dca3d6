import { AsyncLocalStorage } from "node:async_hooks";
import type { CatalogueVersion } from "../errors/index.ts";
import { errorTypeOf, type Span, traceOf } from "../tracing/index.ts";
import { Accesses } from "./accesses.ts";
import type { Caller } from "./caller.ts";

/** What work on behalf of a call may need to know of it, to call others in its name. */
export interface CurrentCall {
  /** The metadata that the call came with. */
  readonly headers: Headers;
  /** By which the call is found in the logs. */
  readonly requestId: string;
  /** The method that was called, with its service: `PatientService/ReadPatient`. */
  readonly method: string;
  /** The version of the contract that the caller speaks. */
  readonly version: CatalogueVersion;
  /** Undefined where the interaction is open to everybody, and between our own services. */
  readonly caller: Caller | undefined;
  /** Whose data the call has met. */
  readonly accesses: Accesses;
  /** When it has to be answered, in milliseconds since 1970; undefined when it may take for ever. */
  readonly deadline: number | undefined;
  /** The call in the trace that it is part of; undefined when traces are not told. */
  readonly span?: Span | undefined;
}

/** On whose behalf work is done, and what ends it before its time. */
interface Surroundings {
  readonly call?: CurrentCall | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly span?: Span | undefined;
}

// One store for all: a call that enters two copies what it is in twice.
const surroundings = new AsyncLocalStorage<Surroundings>();

/** Runs work on behalf of a call, under its signal or else under the one that is current. */
export function underCall<T>(call: CurrentCall, work: () => T, signal = currentSignal()): T {
  return surroundings.run({ call, signal, span: call.span }, work);
}

/**
 * Runs work so that whatever waits below it (a statement in the database) stops when the signal aborts: when a call is
 * cancelled or its deadline passes. Use cases need not hand the signal down.
 */
export function underSignal<T>(signal: AbortSignal, work: () => T): T {
  return surroundings.run({ call: currentCall(), signal, span: currentSpan() }, work);
}

/** Runs work that several calls share: neither the end of one of them nor its deadline is that of the others. */
export function underNoSignal<T>(work: () => T): T {
  const call = currentCall();
  const withoutDeadline = call && { ...call, deadline: undefined };
  return surroundings.run({ call: withoutDeadline, span: currentSpan() }, work);
}

/** Runs work as the span, or as a part of it; the span ends with the work. */
export async function underSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await surroundings.run({ ...surroundings.getStore(), span }, work);
    span.end();
    return result;
  } catch (error) {
    span.end(errorTypeOf(error));
    throw error;
  }
}

/** Runs work as a part of what is being done that has a name of its own in the trace, where there is one. */
export function asPart<T>(name: string, work: () => Promise<T>): Promise<T> {
  const whole = currentSpan();
  const part = whole?.child(name, "internal");
  // A span that is not sampled is its own child.
  return part && part !== whole ? underSpan(part, work) : work();
}

/** What is being done in the trace that it is part of; undefined when that is not told. */
export function currentSpan(): Span | undefined {
  return surroundings.getStore()?.span;
}

/** What a line of the log says of the trace that it belongs to. */
export function currentTrace(): ReturnType<typeof traceOf> {
  return traceOf(currentSpan());
}

/** The signal of the work that is being done; undefined in background work. */
export function currentSignal(): AbortSignal | undefined {
  return surroundings.getStore()?.signal;
}

/**
 * Runs a part of a call with accesses of its own. The call is told of one patient whose entry in the trail the part has
 * written, so that it knows that there is one.
 */
export async function underAccesses<T>(work: () => Promise<T>): Promise<T> {
  const call = currentCall();
  if (!call) return await work();
  const accesses = new Accesses();
  const result = await underCall({ ...call, accesses }, work);
  const [recorded] = accesses.recorded;
  if (recorded !== undefined) call.accesses.noteRecorded(recorded);
  return result;
}

/** The call that is being worked on; undefined in background work. */
export function currentCall(): CurrentCall | undefined {
  return surroundings.getStore()?.call;
}

/** Notes that the call that is being worked on looks at the data of a patient whom its answer may not name. */
export function noteLook(patientId: bigint): void {
  currentCall()?.accesses.noteLook(patientId);
}

/** The part of what is left of a call's time that is kept for the way back. */
const SHARE_OF_WAY_BACK = 0.1;
const LONGEST_WAY_BACK_MS = 250;

/**
 * How long, in milliseconds, the current call may wait for another service: at most `longest`, and always a little
 * less than its own deadline, so that it can still say itself that the other was late.
 */
export function budgetMs(longest: number): number {
  const deadline = currentCall()?.deadline;
  if (deadline === undefined) return longest;
  const left = deadline - Date.now();
  return Math.max(1, Math.min(longest, left - Math.min(LONGEST_WAY_BACK_MS, left * SHARE_OF_WAY_BACK)));
}
