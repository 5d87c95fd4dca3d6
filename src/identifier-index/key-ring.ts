import type { IndexKeys } from "./index-keys.ts";

/** The keys of a running process: they change while it runs, but not under a piece of work. */
export interface KeyRing {
  /** Does work with the keys of now, which stay in use until it ends. */
  under<T>(work: (keys: IndexKeys) => Promise<T>): Promise<T>;
  /** Asks which keys are in use instead of waiting for the next turn, when the database has refused what was made under others. */
  refresh(): Promise<void>;
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

interface Following {
  /** Asked before each piece of work, which waits when it answers with a promise. */
  beforeWork(): Promise<void> | undefined;
  refresh(): Promise<void>;
}

/** A ring whose keys are replaced while work goes on. */
export class LiveKeyRing implements KeyRing {
  #current: Generation;
  readonly #following: Following;

  constructor(keys: IndexKeys, following: Following) {
    this.#current = { keys, users: 0, onUnused: undefined };
    this.#following = following;
  }

  async under<T>(work: (keys: IndexKeys) => Promise<T>): Promise<T> {
    const ready = this.#following.beforeWork();
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

  refresh(): Promise<void> {
    return this.#following.refresh();
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
