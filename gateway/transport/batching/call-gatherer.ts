import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport, type UnaryResponse } from "@connectrpc/connect";
import {
  type CallResult,
  type MakeCallsRequest,
  MakeCallsRequestSchema,
} from "#proto/patientindex/v1/call_batch_service_pb.ts";
import { GatheredCall, type UnaryCall } from "./gathered-call.ts";

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

/** As many as the core takes. */
const MOST_CALLS = 100;

/** For how long, in milliseconds, a core is not asked again that knows no batches: an old one, while it is replaced. */
const PAUSE_MS = 60_000;

/** Sends calls together that are made in the same turn of the event loop; one that is the only one goes as it is. */
export class CallGatherer {
  readonly #alone: Transport;
  readonly #send: SendBatch;
  #gathered: GatheredCall[] = [];
  #pausedUntil = 0;

  constructor(alone: Transport, send: SendBatch) {
    this.#alone = alone;
    this.#send = send;
  }

  call(call: UnaryCall): Promise<UnaryResponse> {
    const gathered = new GatheredCall(call);
    if (this.#gathered.push(gathered) === 1) setImmediate(this.#sendGathered);
    return gathered.answer;
  }

  readonly #sendGathered = () => {
    const calls = this.#gathered.filter(({ isSettled }) => !isSettled);
    this.#gathered = [];
    const isPaused = performance.now() < this.#pausedUntil;
    for (let first = 0; first < calls.length; first += MOST_CALLS) {
      const batch = calls.slice(first, first + MOST_CALLS);
      if (batch.length === 1 || isPaused) this.#sendAlone(batch);
      else this.#sendTogether(batch);
    }
  };

  #sendAlone(calls: readonly GatheredCall[]): void {
    for (const call of calls) call.goAlone(this.#alone);
  }

  #sendTogether(calls: readonly GatheredCall[]): void {
    let waitedFor = calls.length;
    const leave = () => {
      waitedFor -= 1;
      if (waitedFor === 0) batch.cancel();
    };
    const request = create(MakeCallsRequestSchema, { calls: calls.map((call) => call.join(leave)) });
    const batch = this.#send(request, longest(calls), {
      results: (results) => {
        for (const result of results) {
          const call = calls[result.place];
          if (call?.isSettled === false) {
            call.settle(result);
            waitedFor -= 1;
          }
        }
      },
      end: (error) => this.#endBatch(calls, error),
    });
  }

  #endBatch(calls: readonly GatheredCall[], error = unanswered()): void {
    const left = calls.filter(({ isSettled }) => !isSettled);
    if (error.code === Code.Unimplemented) {
      this.#pausedUntil = performance.now() + PAUSE_MS;
      this.#sendAlone(left);
    } else for (const call of left) call.fail(error);
  }
}

/** The time of the call that has most of it. */
function longest(calls: readonly GatheredCall[]): number | undefined {
  const times = calls.map(({ timeLeft = Number.POSITIVE_INFINITY }) => timeLeft);
  const time = Math.max(...times);
  return Number.isFinite(time) ? time : undefined;
}

function unanswered(): ConnectError {
  return new ConnectError("the core did not answer", Code.Internal);
}
