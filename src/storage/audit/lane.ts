import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turn } from "node:timers/promises";
import { Prisma } from "../../../prisma/gen/client.ts";
import type { AuditEntry, AuditTrail } from "../../audit/index.ts";
import { asPart } from "../../call/current-call.ts";
import type { Database } from "../connection/database.ts";
import type { AuditKeys } from "./audit-keys.ts";
import { OwnStream } from "./own-stream.ts";

/** At most so many entries in a statement beside those of its first call. */
const BATCH = 1_000;

const ALWAYS = Prisma.sql`true`;

interface Waiting {
  readonly entries: readonly AuditEntry[];
  readonly done: () => void;
  readonly failed: (cause: unknown) => void;
}

/**
 * The chain of what one process records beside its writes and the reads that record themselves: searches, refusals, other
 * reads. Entries that come while a batch is written make the next one, so that many calls share a commit.
 */
export class Lane implements AuditTrail {
  readonly #database: Database;
  readonly #stream: OwnStream;
  readonly #waiting: Waiting[] = [];
  /** A batch is not the business of the call that happens to begin it, nor of its transaction. */
  readonly #apart = AsyncLocalStorage.snapshot();
  #isWriting = false;

  constructor(database: Database, keys: AuditKeys) {
    this.#database = database;
    this.#stream = new OwnStream(database, keys);
  }

  record(entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
    return asPart("record audit-entries", () => this.#recorded(entries));
  }

  #recorded(entries: readonly AuditEntry[]): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ entries, done, failed });
      if (this.#isWriting) return;
      this.#isWriting = true;
      void this.#apart(() => this.#writeAll());
    });
  }

  /** Answers come together: the first of them does not go alone. */
  async #writeAll(): Promise<void> {
    await turn();
    while (this.#waiting.length > 0) {
      const batch = takeBatch(this.#waiting);
      try {
        await this.#write(batch.flatMap(({ entries }) => entries));
        for (const { done } of batch) done();
      } catch (cause) {
        for (const { failed } of batch) failed(cause);
      }
      await turn();
    }
    this.#isWriting = false;
  }

  #write(entries: readonly AuditEntry[]): Promise<void> {
    return this.#stream.append(entries, async (insertion) => {
      await this.#database.$executeRaw`WITH ${insertion(ALWAYS)} SELECT`;
      return true;
    });
  }
}

/**
 * The first of those who wait, whatever it records, and whole calls that fit beside it: a call with few entries does not
 * wait until several with very many are written.
 */
function takeBatch(waiting: Waiting[]): Waiting[] {
  const [first, ...others] = waiting.splice(0);
  const batch = first ? [first] : [];
  let room = BATCH;
  for (const one of others) {
    const fits = one.entries.length <= room;
    if (fits) room -= one.entries.length;
    (fits ? batch : waiting).push(one);
  }
  return batch;
}
