import { AsyncLocalStorage } from "node:async_hooks";
import { untilAborted } from "./until-aborted.ts";

/** Answers questions of one kind together; who has no answer is missing from the map. */
export type AskTogether<Key, Answer> = (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Answer>>;

interface Waiting<Key, Answer> {
  readonly key: Key;
  readonly resolve: (answer: Answer | undefined) => void;
  readonly reject: (cause: unknown) => void;
}

/** So many are asked at a time; those who come meanwhile make the next question. */
const AT_A_TIME = 1;
const LARGEST = 100;

/**
 * Questions that come in the same turn of the event loop, or while others are being asked, go as one. It is the
 * business of no call in particular: it runs under no signal and in no transaction, and who is cancelled stops waiting.
 */
export class GatheredWork<Key, Answer> {
  readonly #askTogether: AskTogether<Key, Answer>;
  readonly #apart = AsyncLocalStorage.snapshot();
  #waiting: Waiting<Key, Answer>[] = [];
  #asking = 0;
  #isBegun = false;

  constructor(askTogether: AskTogether<Key, Answer>) {
    this.#askTogether = askTogether;
  }

  ask(key: Key): Promise<Answer | undefined> {
    const answer = new Promise<Answer | undefined>((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
    });
    if (!this.#isBegun && this.#asking < AT_A_TIME) {
      this.#isBegun = true;
      setImmediate(() => {
        this.#isBegun = false;
        this.#apart(() => this.#askNext());
      });
    }
    return untilAborted(answer);
  }

  #askNext(): void {
    if (this.#waiting.length === 0 || this.#asking >= AT_A_TIME) return;
    const batch = this.#waiting.splice(0, LARGEST);
    this.#asking += 1;
    void this.#answer(batch).finally(() => {
      this.#asking -= 1;
      this.#askNext();
    });
    this.#askNext();
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
