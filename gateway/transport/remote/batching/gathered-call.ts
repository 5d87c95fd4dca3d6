import type { DescMethodUnary, Message, MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport, type UnaryResponse } from "@connectrpc/connect";
import type {
  BatchedCall,
  BatchedCallSchema,
  CallResult,
} from "#proto/patientindex/v1/call_batch_service_pb.ts";
import { CallSignal } from "../../call-signal.ts";
import { type AnswerMetadata, UnaryAnswer } from "../../unary-answer.ts";
import { connectErrorOfStatus } from "../remote-error.ts";
import type { Metadata } from "./gathered-methods.ts";

/** A call as a Transport is asked to make it, its request complete. */
export interface UnaryCall {
  readonly method: DescMethodUnary;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
  readonly header: Headers;
  /** The header again. */
  readonly metadata: Metadata;
  readonly request: Message;
  readonly contextValues: Parameters<Transport["unary"]>[5];
}

/** A call that waits to be sent and then for its answer, as long as its caller does and its time lasts. */
export class GatheredCall {
  /** What the caller is given. */
  readonly answer: Promise<UnaryResponse>;
  readonly #call: UnaryCall;
  readonly #deadline: number | undefined;
  readonly #waiting: CallSignal;
  readonly #resolve: (response: UnaryResponse | Promise<UnaryResponse>) => void;
  readonly #reject: (error: unknown) => void;
  #isSettled = false;
  #tellGivenUp: () => void = () => {};

  constructor(call: UnaryCall) {
    const { signal, timeoutMs } = call;
    this.#call = call;
    this.#deadline = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
    const { promise, resolve, reject } = Promise.withResolvers<UnaryResponse>();
    this.answer = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#waiting = new CallSignal(signal, timeoutMs);
    if (this.#waiting.signal.aborted) this.#giveUp();
    else this.#waiting.signal.addEventListener("abort", this.#giveUp);
  }

  /** Whether nobody waits for it any more: it was answered, or given up. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** What is left of its time, in milliseconds; undefined when it may take for ever. */
  get timeLeft(): number | undefined {
    return this.#deadline === undefined
      ? undefined
      : Math.max(1, Math.ceil(this.#deadline - performance.now()));
  }

  /** Sends it by itself. */
  goAlone(transport: Transport): void {
    const { method, signal, header, request, contextValues } = this.#call;
    const { timeLeft } = this;
    this.#end();
    this.#resolve(transport.unary(method, signal, timeLeft, header, request, contextValues));
  }

  /** Makes it a part of a batch, which is told when it is given up. */
  join(tellGivenUp: () => void): MessageInitShape<typeof BatchedCallSchema> {
    const { method, metadata, request } = this.#call;
    this.#tellGivenUp = tellGivenUp;
    return {
      metadata,
      timeoutMs: this.timeLeft ?? 0,
      // Which case goes with which message is known by its method alone.
      request: { case: method.localName, value: request } as unknown as BatchedCall["request"],
    };
  }

  /** Answers it with what the core made of it; means nothing any more when it was given up. */
  settle(result: CallResult): void {
    const { method } = this.#call;
    const { outcome, trailer } = result;
    if (outcome.case === "status") {
      this.fail(connectErrorOfStatus(outcome.value, new Headers(trailer)));
    } else if (outcome.case === method.localName) {
      this.#end();
      this.#resolve(new UnaryAnswer(method, outcome.value as Message, new BatchedMetadata(result)));
    } else {
      this.fail(new ConnectError("the core answered something else", Code.Internal));
    }
  }

  fail(error: unknown): void {
    this.#end();
    this.#reject(error);
  }

  readonly #giveUp = () => {
    this.fail(this.#waiting.signal.reason);
    this.#tellGivenUp();
  };

  #end(): void {
    this.#isSettled = true;
    this.#waiting.end();
  }
}

/** The metadata of a response, as a batch brings them. */
class BatchedMetadata implements AnswerMetadata {
  readonly #result: CallResult;

  constructor(result: CallResult) {
    this.#result = result;
  }

  get responseHeader(): Headers {
    return new Headers(this.#result.header);
  }

  get responseTrailer(): Headers {
    return new Headers(this.#result.trailer);
  }
}
