import { Prisma } from "../../../prisma/gen/client.ts";
import { type AuditEntry, chained, NO_HASH } from "../../audit/index.ts";
import type { Database } from "../connection/database.ts";
import type { AuditKeys } from "./audit-keys.ts";
import { type JointEntries, sealJointly } from "./sealed-entry.ts";

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
    const sealed = sealJointly(key, stream.id, stream.n + 1n, entries);
    const hashes = chained(stream.hash, sealed.digests);
    const batch = { stream, entries, sealed, hashes };
    try {
      if (!(await write((condition) => insertion(batch, condition)))) return;
    } catch (cause) {
      this.#stream = undefined;
      throw cause;
    }
    stream.n += BigInt(entries.length);
    stream.hash = hashes.at(-1) ?? stream.hash;
  }

  async #newStream(): Promise<Stream> {
    const [row] = await this.#database.$queryRaw<{ id: bigint }[]>`SELECT -nextval('audit_lane') AS id`;
    if (!row) throw new Error("The database gave no lane.");
    return { id: row.id, n: 0n, hash: NO_HASH };
  }
}

interface Batch {
  readonly stream: Stream;
  readonly entries: readonly AuditEntry[];
  readonly sealed: JointEntries;
  readonly hashes: readonly Uint8Array[];
}

/** Each column as one parameter: a driver spends more on an array of a thousand elements than on all the rest. */
function insertion({ stream, entries, sealed, hashes }: Batch, condition: Prisma.Sql): Prisma.Sql {
  const end = stream.n + BigInt(entries.length);
  const instants = entries.map(({ recordedAt }) => recordedAt.getTime()).join(",");
  const patients = entries.map(({ patientId }) => patientId ?? 0n).join(",");
  return Prisma.sql`
    head AS (
      INSERT INTO audit_stream (stream_id, n, hash)
      SELECT ${stream.id}::bigint, ${end}::bigint, ${hashes.at(-1)}::bytea WHERE ${condition}
      ON CONFLICT (stream_id) DO UPDATE SET n = excluded.n, hash = excluded.hash),
    entry AS (
      INSERT INTO audit_event (stream_id, n, recorded_at, patient_id, key_id, content, content_n, digest, hash)
      SELECT ${stream.id}::bigint, ${stream.n}::bigint + place, timestamp 'epoch' + milliseconds * interval '1 ms',
        nullif(patient_id, 0),
        CASE WHEN place = 1 THEN ${sealed.keyId} END, CASE WHEN place = 1 THEN ${sealed.content}::bytea END,
        ${stream.n}::bigint + 1,
        substring(${Buffer.concat(sealed.digests)}::bytea, (place * 32 - 31)::int, 32),
        substring(${Buffer.concat(hashes)}::bytea, (place * 32 - 31)::int, 32)
      FROM unnest(string_to_array(${instants}, ',')::bigint[], string_to_array(${patients}, ',')::bigint[])
        WITH ORDINALITY AS given (milliseconds, patient_id, place)
      WHERE ${condition})`;
}
