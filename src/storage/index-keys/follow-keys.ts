import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { causesOf, RepeatedFailures } from "../../errors/index.ts";
import {
  type HeldKeys,
  holdsAll,
  type KeyProvider,
  type KeyRecord,
  type KeyRing,
  keysFor,
  LiveKeyRing,
  stateText,
} from "../../identifier-index/index.ts";
import { failureOfStart } from "../../lifecycle/stoppable.ts";
import type { Database } from "../connection/database.ts";
import { recordIndexKeys, selectKeyRecords } from "./key-records.ts";
import { signOff, signOfLife, TRUSTED_MS } from "./key-users.ts";

export interface FollowOptions {
  readonly database: Database;
  readonly provider: KeyProvider;
  readonly log: { warn(details: object, message: string): void };
  /** How long after a look at the states the next one comes. */
  readonly intervalMs?: number;
}

/** The keys of this process, which follow the states of the database. */
export interface FollowedKeys {
  readonly ring: KeyRing;
  /** Looks at the states now instead of at the next turn, and acts on them. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

const INTERVAL_MS = 1_000;
/** How long a turn waits for work that began with other keys; it confirms by itself when that ends later. */
const PATIENCE_MS = 200;
const NOTHING_YET = "";

/**
 * Loads the keys and acts on the states that the database has for them, from now on and in every change of them. A row
 * of the process says on which states it acts; it changes only when no work goes on that began with others.
 */
export async function followKeys(options: FollowOptions): Promise<FollowedKeys> {
  const processId = randomUUID();
  // Before the states are read: so a rotation waits for this process, or it sees what the rotation did.
  await signOfLife(options.database, processId, NOTHING_YET);
  try {
    const held = await options.provider.load();
    await recordIndexKeys(options.database, held, new Date());
    const records = await selectKeyRecords(options.database);
    return await new Follower(options, processId, held, records).start();
  } catch (cause) {
    throw await failureOfStart(cause, [() => signOff(options.database, processId)]);
  }
}

class Follower implements FollowedKeys {
  readonly #options: FollowOptions;
  readonly #failures: RepeatedFailures;
  readonly #processId: string;
  readonly ring: LiveKeyRing;
  #held: HeldKeys;
  /** The states that new work goes by, and those that no work contradicts any more. */
  #wanted: string;
  #actsOn = NOTHING_YET;
  /** Resolves when all work that began with earlier keys has ended. */
  #settled: Promise<unknown> = Promise.resolve();
  #lastSign = performance.now();
  /** A turn is not the business of the call that finds it due, nor of its transaction. */
  readonly #apart = AsyncLocalStorage.snapshot();
  #turn: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: FollowOptions, processId: string, held: HeldKeys, records: readonly KeyRecord[]) {
    this.#options = options;
    this.#failures = new RepeatedFailures((details, message) => options.log.warn(details, message));
    this.#processId = processId;
    this.#held = held;
    this.#wanted = stateText(records);
    this.ring = new LiveKeyRing(keysFor(records, held), {
      beforeWork: () => this.#beforeWork(),
      refresh: () => this.refresh(),
    });
  }

  async start(): Promise<this> {
    await this.#confirm(this.#wanted);
    this.#schedule();
    return this;
  }

  refresh(): Promise<void> {
    this.#turn ??= this.#apart(() => this.#follow()).finally(() => {
      this.#turn = undefined;
    });
    return this.#turn;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#turn?.catch(() => undefined);
    await signOff(this.#options.database, this.#processId);
  }

  /** A process that could not give a sign for long may be taken for dead, so it looks before it goes on. */
  #beforeWork(): Promise<void> | undefined {
    return performance.now() - this.#lastSign < TRUSTED_MS ? undefined : this.refresh();
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.refresh()
        .catch((error) => this.#failures.note(error, "following the keys failed"))
        .finally(() => this.#schedule());
    }, this.#options.intervalMs ?? INTERVAL_MS);
  }

  async #follow(): Promise<void> {
    const { database } = this.#options;
    const signedAt = performance.now();
    await signOfLife(database, this.#processId, this.#actsOn);
    const records = await selectKeyRecords(database);
    const states = stateText(records);
    if (states !== this.#wanted && (await this.#canActOn(records))) {
      // Without the keys it stays as it is, so that the next turn asks for them again.
      const keys = keysFor(records, this.#held);
      this.#wanted = states;
      this.#settled = Promise.all([this.#settled, this.ring.replace(keys)]);
      await Promise.race([this.#confirmWhenSettled(states), delay(PATIENCE_MS)]);
    }
    this.#lastSign = signedAt;
  }

  /** A key that joins can be waited for: until this process has it too, the rotation goes no further. */
  async #canActOn(records: readonly KeyRecord[]): Promise<boolean> {
    if (holdsAll(this.#held, records)) return true;
    const served = withoutJoining(records);
    const isServed = holdsAll(this.#held, served);
    try {
      const loaded = await this.#options.provider.load();
      // A file of other keys is none to go on with.
      if (!isServed || holdsAll(loaded, served)) this.#held = loaded;
    } catch (error) {
      // An HSM that is away for a while, say: what is held is enough for all but the rotation.
      if (!isServed) throw error;
      const causes = causesOf(error);
      this.#options.log.warn({ causes }, "a rotation waits for this process: its keys cannot be loaded");
      return false;
    }
    if (holdsAll(this.#held, records)) return true;
    if (!holdsAll(this.#held, served)) return true; // for which there are no keys: keysFor throws
    this.#options.log.warn({}, "a rotation waits for this process: its keys lack the one that joins");
    return false;
  }

  async #confirmWhenSettled(states: string): Promise<void> {
    await this.#settled;
    if (this.#wanted === states && !this.#stopped) await this.#confirm(states);
  }

  async #confirm(states: string): Promise<void> {
    this.#actsOn = states;
    await signOfLife(this.#options.database, this.#processId, states);
  }
}

function withoutJoining(records: readonly KeyRecord[]): KeyRecord[] {
  return records.filter(({ state }) => state !== "joining");
}
