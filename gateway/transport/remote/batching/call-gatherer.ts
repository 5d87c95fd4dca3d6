import { Code, type ConnectError, type Transport, type UnaryResponse } from "@connectrpc/connect";
import { Batch, type SendBatch } from "./batch.ts";
import { GatheredCall, type UnaryCall } from "./gathered-call.ts";

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
      else new Batch(batch, this.#sendUnanswered).send(this.#send);
    }
  };

  #sendAlone(calls: readonly GatheredCall[]): void {
    for (const call of calls) call.goAlone(this.#alone);
  }

  readonly #sendUnanswered = (calls: readonly GatheredCall[], error: ConnectError) => {
    if (error.code === Code.Unimplemented) {
      this.#pausedUntil = performance.now() + PAUSE_MS;
      this.#sendAlone(calls);
    } else for (const call of calls) call.fail(error);
  };
}
