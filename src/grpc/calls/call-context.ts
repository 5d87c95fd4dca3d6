import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import { Accesses } from "../../call/accesses.ts";
import type { Caller, KnownOfCaller } from "../../call/caller.ts";
import {
  acceptedLanguage,
  type CatalogueVersion,
  catalogueVersions,
  type Language,
} from "../../errors/index.ts";
import { requestIdOf, type Span } from "../../tracing/index.ts";

/** What is known of a call beside its request; made once per call, from its metadata. */
export interface CallContext {
  /** x-road-id, else the id that the gateway gave the request, where they can be ids, else a new UUID. */
  readonly requestId: string;
  /** The catalogue version of x-mpi-version; the current one when none or an unknown one was asked for. */
  readonly version: CatalogueVersion;
  /** The language of texts: the best of accept-language that we have, else the default of the deployment. */
  readonly language: Language;
  /** Aborts when the caller hangs up, the deadline passes, or the call is over. */
  readonly signal: AbortSignal;
  /** Who calls, once the interceptors know. */
  readonly caller: Caller | undefined;
  /** What is known of who calls, though it may be too little to be let through. */
  readonly known: KnownOfCaller;
  /** Whose data the call has met, for the audit trail. */
  readonly accesses: Accesses;
  /** The call in the trace that it is part of; undefined when traces are not told. */
  readonly span?: Span | undefined;
}

const [currentVersion] = catalogueVersions;

const callContextKey = createContextKey<CallContext | undefined>(undefined, { description: "CallContext" });

/** The CallContext of a call that came through `intercept`; throws outside of one. */
export function callContextOf(context: HandlerContext): CallContext {
  const callContext = context.values.get(callContextKey);
  if (!callContext) throw new TypeError(`${context.method.name} was called without its interceptors`);
  return callContext;
}

/** Keeps a CallContext with the call: the first one, or one that an interceptor has added to. */
export function keepCallContext(context: HandlerContext, callContext: CallContext): void {
  context.values.set(callContextKey, callContext);
}

/** Reads the CallContext out of the metadata. */
export function readCallContext(context: HandlerContext, defaultLanguage: Language): CallContext {
  const { requestHeader } = context;
  return {
    requestId: requestIdOf(requestHeader.get("x-road-id"), requestHeader.get("x-request-id")),
    version: knownVersion(requestHeader.get("x-mpi-version")) ?? currentVersion,
    language: acceptedLanguage(requestHeader.get("accept-language"), defaultLanguage),
    signal: context.signal,
    caller: undefined,
    known: {},
    accesses: new Accesses(),
  };
}

/** The catalogue version of that name; undefined when there is none. */
export function knownVersion(name: string | null): CatalogueVersion | undefined {
  return catalogueVersions.find((version) => version === name);
}
