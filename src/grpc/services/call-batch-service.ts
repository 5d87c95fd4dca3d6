import { AsyncLocalStorage } from "node:async_hooks";
import { create, type DescMethod, type Message } from "@bufbuild/protobuf";
import {
  ConnectError,
  type HandlerContext,
  type ServiceImpl,
  type ServiceImplSpec,
} from "@connectrpc/connect";
import {
  type BatchedCall,
  type CallBatchService,
  type CallResult,
  CallResultSchema,
} from "#proto/patientindex/v1/call_batch_service_pb.ts";
import { type ErrorSystems, fault, MpiError, refuseFor, renderError } from "../../errors/index.ts";
import { roughBytes } from "../../messages/index.ts";
import { BatchedCallContext } from "../calls/batched-call-context.ts";
import { callContextOf } from "../calls/call-context.ts";
import { statusMessageOf } from "../calls/status.ts";
import { asConnectError } from "../interceptors/errors.ts";
import { groupsAsReady } from "../streams/groups-as-ready.ts";

const MOST_CALLS = 100;

/** What the results in one message take at most, about, unless it is a single one: far less than a message may have. */
const MOST_BYTES = 4 * 1024 * 1024;

type Impl = (request: Message, context: HandlerContext) => Promise<Message>;

interface Offered {
  readonly method: DescMethod;
  readonly impl: Impl;
}

/**
 * CallBatchService on services as they are served alone, with the interceptors round their methods; what is no call at
 * all is refused in the words of the batch.
 */
export function callBatchService(
  services: readonly ServiceImplSpec[],
  systems: ErrorSystems,
): ServiceImpl<typeof CallBatchService> {
  const offered = unaryMethods(services);
  // Nothing of the batch is about its calls: neither who sent it nor that it is a call itself.
  const outsideOfCalls = AsyncLocalStorage.snapshot();
  return {
    async *makeCalls({ calls }, context) {
      refuseTooMany(calls);
      const running = new Set<BatchedCallContext>();
      context.signal.addEventListener("abort", () => {
        for (const call of running) call.abort(context.signal.reason);
      });
      const results = outsideOfCalls(() =>
        calls.map((call, place) => resultOf(call, place, offered, context, running, systems)),
      );
      for await (const group of groupsAsReady(results, roughBytes, MOST_BYTES)) yield { results: group };
    },
  };
}

/** By the cases of BatchedCall.request, which are named as the methods are. */
function unaryMethods(services: readonly ServiceImplSpec[]): ReadonlyMap<string, Offered> {
  const unary = services.flatMap(({ methods }) =>
    Object.values(methods).filter(({ kind }) => kind === "unary"),
  );
  return new Map(unary.map(({ method, impl }) => [method.localName, { method, impl: impl as Impl }]));
}

function refuseTooMany(calls: readonly BatchedCall[]): void {
  if (calls.length <= MOST_CALLS) return;
  const parameters = { element: "calls", max: String(MOST_CALLS) };
  refuseFor([fault("ELEMENT_REPEATED_TOO_OFTEN", parameters, { expression: ["calls"] })]);
}

/** Never rejects: what a call ends with is its result. */
async function resultOf(
  call: BatchedCall,
  place: number,
  offered: ReadonlyMap<string, Offered>,
  batch: HandlerContext,
  running: Set<BatchedCallContext>,
  systems: ErrorSystems,
): Promise<CallResult> {
  try {
    const { case: name, value: request } = call.request;
    const called = offered.get(name ?? "");
    if (!called || !request) throw new MpiError("NOT_IMPLEMENTED");
    const context = contextOf(call, called.method, batch);
    running.add(context);
    try {
      return await answered(place, called, request, context);
    } finally {
      context.end();
      running.delete(context);
    }
  } catch (error) {
    return refused(place, error instanceof MpiError ? shown(error, batch, systems) : error);
  }
}

async function answered(
  place: number,
  { method, impl }: Offered,
  request: Message,
  context: BatchedCallContext,
): Promise<CallResult> {
  const value = create(method.output, await impl(request, context));
  const { header, trailer } = context.responseMetadata();
  return create(CallResultSchema, {
    place,
    ...(header && { header: Object.fromEntries(header) }),
    ...(trailer && { trailer: Object.fromEntries(trailer) }),
    // Which case goes with which message is known by its method alone.
    outcome: { case: method.localName, value } as unknown as CallResult["outcome"],
  });
}

function shown(error: MpiError, batch: HandlerContext, systems: ErrorSystems): ConnectError {
  const { version, language } = callContextOf(batch);
  return asConnectError(renderError(error, { version, language, systems }), error);
}

function refused(place: number, error: unknown): CallResult {
  return create(CallResultSchema, {
    place,
    outcome: { case: "status", value: statusMessageOf(error) },
    ...(error instanceof ConnectError && { trailer: Object.fromEntries(error.metadata) }),
  });
}

function contextOf({ metadata, timeoutMs }: BatchedCall, method: DescMethod, batch: HandlerContext) {
  const options = { requestHeader: headersOf(metadata), timeoutMs: timeoutMs === 0 ? undefined : timeoutMs };
  return new BatchedCallContext(method, options, batch);
}

/** What no connection would carry as metadata is refused here as well. */
function headersOf(metadata: Readonly<Record<string, string>>): Headers {
  const headers = new Headers();
  for (const [header, value] of Object.entries(metadata)) {
    try {
      headers.set(header, value);
    } catch (cause) {
      throw new MpiError("HEADER_MALFORMED", { header }, { expression: ["metadata"], cause });
    }
  }
  return headers;
}
