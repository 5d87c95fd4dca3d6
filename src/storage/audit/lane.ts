import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turn } from "node:timers/promises";
import { type AuditEntry, type AuditTrail, chained, NO_HASH } from "../../audit/index.ts";
import type { Database } from "../database.ts";
import { timestampTexts } from "../timestamps.ts";
import type { AuditKeys } from "./audit-keys.ts";
import { type SealedEntry, sealEntry } from "./sealed-entry.ts";

/** At most so many entries in a statement. */
const BATCH = 1_000;

interface Waiting {
  readonly entries: readonly AuditEntry[];
  readonly done: () => void;
  readonly failed: (cause: unknown) => void;
}

/** A stream that this process alone writes, as far as it has got. */
interface Stream {
  readonly id: bigint;
  n: bigint;
  hash: Uint8Array;
}

/**
 * The chain of what one process records: reads, searches and refusals. Entries that come while a batch is written make
 * the next one, so that many calls share a commit. When the outcome of a batch is unknown its stream is left as it is,
 * and what follows goes to a new one.
 */
export class Lane implements AuditTrail {
  readonly #database: Database;
  readonly #keys: AuditKeys;
  readonly #waiting: Waiting[] = [];
  /** A batch is not the business of the call that happens to begin it, nor of its transaction. */
  readonly #apart = AsyncLocalStorage.snapshot();
  #stream: Stream | undefined;
  #isWriting = false;

  constructor(database: Database, keys: AuditKeys) {
    this.#database = database;
    this.#keys = keys;
  }

  record(entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
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
        this.#stream = undefined;
        for (const { failed } of batch) failed(cause);
      }
      await turn();
    }
    this.#isWriting = false;
  }

  async #write(entries: readonly AuditEntry[]): Promise<void> {
    const key = this.#keys.current(new Date());
    this.#stream ??= await this.#newStream();
    const stream = this.#stream;
    const sealed = entries.map((entry) => sealEntry(key, stream.id, entry));
    const hashes = chained(
      stream.hash,
      sealed.map(({ digest }) => digest),
    );
    await this.#insert(stream, sealed, hashes);
    stream.n += BigInt(sealed.length);
    stream.hash = hashes.at(-1) ?? stream.hash;
  }

  async #newStream(): Promise<Stream> {
    const [row] = await this.#database.$queryRaw<{ id: bigint }[]>`SELECT -nextval('audit_lane') AS id`;
    if (!row) throw new Error("The database gave no lane.");
    return { id: row.id, n: 0n, hash: NO_HASH };
  }

  /** Each column as one parameter: a driver spends more on an array of a thousand elements than on all the rest. */
  async #insert(
    stream: Stream,
    sealed: readonly SealedEntry[],
    hashes: readonly Uint8Array<ArrayBuffer>[],
  ): Promise<void> {
    const end = stream.n + BigInt(sealed.length);
    const instants = timestampTexts(sealed.map(({ recordedAt }) => recordedAt)).join(",");
    const patients = sealed.map(({ patientId }) => patientId ?? 0n).join(",");
    const lengths = sealed.map(({ content }) => content.length).join(",");
    const contents = joined(sealed.map(({ content }) => content));
    const digests = joined(sealed.map(({ digest }) => digest));
    await this.#database.$executeRaw`
      WITH head AS (
        INSERT INTO audit_stream (stream_id, n, hash) VALUES (${stream.id}, ${end}, ${hashes.at(-1)})
        ON CONFLICT (stream_id) DO UPDATE SET n = excluded.n, hash = excluded.hash)
      INSERT INTO audit_event (stream_id, n, recorded_at, patient_id, key_id, content, digest, hash)
      SELECT ${stream.id}, ${stream.n} + place, recorded_at, nullif(patient_id, 0), ${sealed[0]?.keyId},
        substring(${contents}::bytea, (content_end - length + 1)::int, length),
        substring(${digests}::bytea, (place * 32 - 31)::int, 32),
        substring(${joined(hashes)}::bytea, (place * 32 - 31)::int, 32)
      FROM (SELECT *, sum(length) OVER (ORDER BY place) AS content_end
        FROM unnest(string_to_array(${instants}, ',')::timestamp(3)[], string_to_array(${patients}, ',')::bigint[],
          string_to_array(${lengths}, ',')::int[])
          WITH ORDINALITY AS given (recorded_at, patient_id, length, place)) AS entry`;
  }
}

function joined(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}

/** Whole calls, until a batch is full; a call with more entries than that has one of its own. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  let size = 0;
  const end = waiting.findIndex(({ entries }, at) => {
    size += entries.length;
    return size > BATCH && at > 0;
  });
  return waiting.splice(0, end === -1 ? waiting.length : end);
}
