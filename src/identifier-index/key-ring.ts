import type { IndexKeys } from "./index-keys.ts";

/** The keys of a running process: they change while it runs, but not under a piece of work. */
export interface KeyRing {
  /** Does work with the keys of now, which stay in use until it ends. */
  under<T>(work: (keys: IndexKeys) => Promise<T>): Promise<T>;
  /**
   * Asked within a transaction by work that has hashed or sealed outside of it: throws KeysReplaced when the process stood still
   * meanwhile, and a rotation may have gone on without it.
   */
  stillUnder(keys: IndexKeys): Promise<void>;
}

/** What was hashed and sealed under these keys is not to be written; nothing was. */
export class KeysReplaced extends Error {
  override readonly name = "KeysReplaced";
}

interface Generation {
  readonly keys: IndexKeys;
  users: number;
  /** Called when the last user of keys that are replaced has ended. */
  onUnused: (() => void) | undefined;
}

/** A ring whose keys are replaced while work goes on. */
export class LiveKeyRing implements KeyRing {
  #current: Generation;
  readonly #beforeWork: () => Promise<void> | undefined;

  /** `beforeWork` is asked before each piece of work, and waited for when it answers with a promise. */
  constructor(keys: IndexKeys, beforeWork: () => Promise<void> | undefined) {
    this.#current = { keys, users: 0, onUnused: undefined };
    this.#beforeWork = beforeWork;
  }

  async under<T>(work: (keys: IndexKeys) => Promise<T>): Promise<T> {
    const ready = this.#beforeWork();
    if (ready) await ready;
    const generation = this.#current;
    generation.users++;
    try {
      return await work(generation.keys);
    } finally {
      generation.users--;
      if (generation.users === 0) generation.onUnused?.();
    }
  }

  async stillUnder(keys: IndexKeys): Promise<void> {
    const ready = this.#beforeWork();
    if (!ready) return;
    await ready;
    if (this.#current.keys !== keys) throw new KeysReplaced("Others have taken the place of these keys.");
  }

  /** New work gets these keys at once; resolves when no work uses the ones before any more. */
  replace(keys: IndexKeys): Promise<void> {
    const before = this.#current;
    this.#current = { keys, users: 0, onUnused: undefined };
    if (before.users === 0) return Promise.resolve();
    return new Promise((resolve) => {
      before.onUnused = resolve;
    });
  }
}
