import { Prisma } from "../../../prisma/gen/client.ts";
import { type AuditEntry, chained, NO_HASH } from "../../audit/index.ts";
import type { Database } from "../database.ts";
import { timestampTexts } from "../timestamps.ts";
import type { AuditKeys } from "./audit-keys.ts";
import { type SealedEntry, sealEntry } from "./sealed-entry.ts";

interface Stream {
  readonly id: bigint;
  n: bigint;
  hash: Uint8Array;
}

/**
 * Sends a statement with the common table expressions that `insertion` makes: they write the entries if a condition
 * holds. Answers whether the entries are written.
 */
type Write = (insertion: (condition: Prisma.Sql) => Prisma.Sql) => Promise<boolean>;

/** A chain that one process alone writes, one statement after the other. */
export class OwnStream {
  readonly #database: Database;
  readonly #keys: AuditKeys;
  #stream: Stream | undefined;

  constructor(database: Database, keys: AuditKeys) {
    this.#database = database;
    this.#keys = keys;
  }

  /** Goes on with the chain. When the outcome is unknown it is left as it is, and what follows goes to a new one. */
  async append(entries: readonly AuditEntry[], write: Write): Promise<void> {
    const key = this.#keys.current(new Date());
    this.#stream ??= await this.#newStream();
    const stream = this.#stream;
    const sealed = entries.map((entry) => sealEntry(key, stream.id, entry));
    const hashes = chained(
      stream.hash,
      sealed.map(({ digest }) => digest),
    );
    try {
      if (!(await write((condition) => insertion(stream, sealed, hashes, condition)))) return;
    } catch (cause) {
      this.#stream = undefined;
      throw cause;
    }
    stream.n += BigInt(sealed.length);
    stream.hash = hashes.at(-1) ?? stream.hash;
  }

  async #newStream(): Promise<Stream> {
    const [row] = await this.#database.$queryRaw<{ id: bigint }[]>`SELECT -nextval('audit_lane') AS id`;
    if (!row) throw new Error("The database gave no lane.");
    return { id: row.id, n: 0n, hash: NO_HASH };
  }
}

/** Each column as one parameter: a driver spends more on an array of a thousand elements than on all the rest. */
function insertion(
  stream: Stream,
  sealed: readonly SealedEntry[],
  hashes: readonly Uint8Array[],
  condition: Prisma.Sql,
): Prisma.Sql {
  const end = stream.n + BigInt(sealed.length);
  const instants = timestampTexts(sealed.map(({ recordedAt }) => recordedAt)).join(",");
  const patients = sealed.map(({ patientId }) => patientId ?? 0n).join(",");
  const contents = sealed.map(({ content }) => content);
  const digests = sealed.map(({ digest }) => digest);
  return Prisma.sql`
    head AS (
      INSERT INTO audit_stream (stream_id, n, hash)
      SELECT ${stream.id}::bigint, ${end}::bigint, ${hashes.at(-1)}::bytea WHERE ${condition}
      ON CONFLICT (stream_id) DO UPDATE SET n = excluded.n, hash = excluded.hash),
    entry AS (
      INSERT INTO audit_event (stream_id, n, recorded_at, patient_id, key_id, content, digest, hash)
      SELECT ${stream.id}::bigint, ${stream.n}::bigint + place, recorded_at, nullif(patient_id, 0), ${sealed[0]?.keyId},
        substring(${Buffer.concat(contents)}::bytea, content_end - length + 1, length),
        substring(${Buffer.concat(digests)}::bytea, (place * 32 - 31)::int, 32),
        substring(${Buffer.concat(hashes)}::bytea, (place * 32 - 31)::int, 32)
      FROM unnest(string_to_array(${instants}, ',')::timestamp(3)[], string_to_array(${patients}, ',')::bigint[],
          string_to_array(${contents.map(({ length }) => length).join(",")}, ',')::int[],
          string_to_array(${ends(contents).join(",")}, ',')::int[])
        WITH ORDINALITY AS given (recorded_at, patient_id, length, content_end, place)
      WHERE ${condition})`;
}

/** Where each ends when they stand one after the other. */
function ends(parts: readonly Uint8Array[]): number[] {
  let end = 0;
  return parts.map(({ length }) => {
    end += length;
    return end;
  });
}
