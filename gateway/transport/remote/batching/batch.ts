import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type CallResult,
  type MakeCallsRequest,
  MakeCallsRequestSchema,
} from "#proto/patientindex/v1/call_batch_service_pb.ts";
import type { GatheredCall } from "./gathered-call.ts";

/** How to send a batch of calls. */
export type SendBatch = (
  request: MakeCallsRequest,
  timeoutMs: number | undefined,
  hear: HearBatch,
) => SentBatch;

/** Who hears what becomes of a batch. */
export interface HearBatch {
  results(results: readonly CallResult[]): void;
  /** Nothing more will come; with the error, if there is one, by which it ended. */
  end(error: ConnectError | undefined): void;
}

/** A batch that is under way. */
export interface SentBatch {
  cancel(): void;
}

/** Sends calls as one, and lets go of each as soon as nobody waits for it: a stream that has ended may be kept for long. */
export class Batch implements HearBatch {
  readonly #waiting: Map<number, GatheredCall>;
  readonly #unanswered: (calls: readonly GatheredCall[], error: ConnectError) => void;
  #sent: SentBatch | undefined;

  /** `unanswered` is given those that are still waited for when there will be no answer. */
  constructor(
    calls: readonly GatheredCall[],
    unanswered: (calls: readonly GatheredCall[], error: ConnectError) => void,
  ) {
    this.#waiting = new Map(calls.entries());
    this.#unanswered = unanswered;
  }

  /** What cannot even be sent ends as what is not answered. */
  send(send: SendBatch): void {
    const timeoutMs = longest([...this.#waiting.values()]);
    const calls = [...this.#waiting].map(([place, call]) => call.join(() => this.#leave(place)));
    try {
      this.#sent = send(create(MakeCallsRequestSchema, { calls }), timeoutMs, this);
    } catch (error) {
      this.end(ConnectError.from(error));
    }
  }

  /** Nobody waits for that call any more: the core need not go on when that is so of all. */
  #leave(place: number): void {
    this.#waiting.delete(place);
    if (this.#waiting.size === 0) this.#sent?.cancel();
  }

  results(results: readonly CallResult[]): void {
    for (const result of results) {
      this.#waiting.get(result.place)?.settle(result);
      this.#waiting.delete(result.place);
    }
  }

  end(error = new ConnectError("the core did not answer", Code.Internal)): void {
    const calls = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#unanswered(calls, error);
  }
}

/** The time of the call that has most of it. */
function longest(calls: readonly GatheredCall[]): number | undefined {
  const times = calls.map(({ timeLeft = Number.POSITIVE_INFINITY }) => timeLeft);
  const time = Math.max(...times);
  return Number.isFinite(time) ? time : undefined;
}
