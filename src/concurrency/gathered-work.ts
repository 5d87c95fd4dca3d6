import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turn } from "node:timers/promises";
import { untilAborted } from "./until-aborted.ts";

/** Answers questions of one kind together; who has no answer is missing from the map. */
export type AskTogether<Key, Answer> = (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Answer>>;

interface Waiting<Key, Answer> {
  readonly key: Key;
  readonly resolve: (answer: Answer | undefined) => void;
  readonly reject: (cause: unknown) => void;
}

/** Keys in a question, at most. */
const LARGEST = 100;
/** A second question begins only when at least so many wait, and as many as the last one had: uneven questions cost more. */
const FEW = 10;

/**
 * Questions that come in the same turn of the event loop, or while others are being asked, go as one: there is one at
 * a time, or as many as are given, so that the next gathers as many as can be. It is the business of no call in
 * particular: it runs under no signal and in no transaction, and who is cancelled stops waiting.
 */
export class GatheredWork<Key, Answer> {
  readonly #askTogether: AskTogether<Key, Answer>;
  readonly #apart = AsyncLocalStorage.snapshot();
  readonly #atOnce: number;
  #waiting: Waiting<Key, Answer>[] = [];
  #asking = 0;
  #lastSize = 0;
  #isBeginning = false;

  constructor(askTogether: AskTogether<Key, Answer>, atOnce = 1) {
    this.#askTogether = askTogether;
    this.#atOnce = atOnce;
  }

  ask(key: Key): Promise<Answer | undefined> {
    const answer = new Promise<Answer | undefined>((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
    });
    if (this.#mayBegin()) {
      this.#asking += 1;
      this.#isBeginning = true;
      void this.#apart(() => this.#askAll());
    }
    return untilAborted(answer);
  }

  #mayBegin(): boolean {
    if (this.#asking === 0) return true;
    if (this.#isBeginning || this.#asking === this.#atOnce) return false;
    return this.#waiting.length >= Math.max(FEW, this.#lastSize);
  }

  async #askAll(): Promise<void> {
    await turn();
    this.#isBeginning = false;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, LARGEST);
      this.#lastSize = batch.length;
      await this.#answer(batch);
      await turn();
    }
    this.#asking -= 1;
  }

  async #answer(batch: readonly Waiting<Key, Answer>[]): Promise<void> {
    try {
      const answers = await this.#askTogether([...new Set(batch.map(({ key }) => key))]);
      for (const { key, resolve } of batch) resolve(answers.get(key));
    } catch (cause) {
      for (const { reject } of batch) reject(cause);
    }
  }
}
