import { randomBytes } from "node:crypto";
import type pg from "pg";

/** A prepared statement of the yardstick; the driver prepares it once a connection. */
function statement(name: string, text: string) {
  return (values: unknown[]): pg.QueryConfig => ({ name, text, values });
}

const readById = statement("read", "SELECT document FROM patient WHERE id = $1");
const readByIdentifier = statement(
  "read_by_identifier",
  `SELECT p.document FROM identifier i JOIN patient p ON p.id = i.patient_id
   WHERE i.value_hmac = $1 AND i.country = $2 AND i.type = $3`,
);
const readSharing = statement(
  "read_sharing",
  `SELECT p.document FROM (
     SELECT found.patient_id AS id, sum(wanted.weight) AS weight
     FROM unnest($1::bigint[], $2::int[]) AS wanted (key, weight)
     CROSS JOIN LATERAL (SELECT patient_id FROM block_key WHERE block_key.key = wanted.key LIMIT 500) AS found
     GROUP BY found.patient_id ORDER BY weight DESC, found.patient_id LIMIT 300) AS sharing
   JOIN patient p ON p.id = sharing.id ORDER BY sharing.weight DESC`,
);
const begin = statement("begin", "BEGIN");
const commit = statement("commit", "COMMIT");
const insertIdentifiers = statement(
  "insert_identifiers",
  `INSERT INTO identifier (value_hmac, country, type, key_id, patient_id)
   SELECT hmac, 'fin', 'ni', 'bench', $2 FROM unnest($1::bytea[]) AS given (hmac)`,
);
const insertPatient = statement(
  "insert_patient",
  `INSERT INTO patient (id, version, updated_at, active, birth_from, birth_to, deceased, last_event, document)
   VALUES ($1, 1, $2::timestamp, true, '1970-01-01', '1970-01-01', false, 1, $3)`,
);
const insertValues = statement(
  "insert_values",
  `INSERT INTO identifier_value (patient_id, n, owner, country, type, key_id, value_hmac, ciphertext)
   SELECT $2, n, $2, 'fin', 'ni', 'bench', hmac, $3 FROM unnest($1::bytea[]) WITH ORDINALITY AS given (hmac, n)`,
);
const insertHistory = statement(
  "insert_history",
  `INSERT INTO patient_history (id, version, updated_at, document, author_key_id, author)
   VALUES ($1, $2, $3::timestamp, $4, $5, $6)`,
);
const insertBlockKeys = statement(
  "insert_block_keys",
  "INSERT INTO block_key (key, patient_id) SELECT key, $2 FROM unnest($1::bigint[]) AS given (key)",
);
const deleteBlockKey = statement(
  "delete_block_key",
  "DELETE FROM block_key WHERE patient_id = $1 AND key = $2",
);
const insertAuditEntry = statement(
  "insert_audit_entry",
  `WITH head AS (
     INSERT INTO audit_stream AS stream (stream_id, n, hash) VALUES ($1, 1, $5)
     ON CONFLICT (stream_id) DO UPDATE SET n = stream.n + 1, hash = excluded.hash RETURNING n)
   INSERT INTO audit_event (stream_id, n, recorded_at, patient_id, key_id, content, digest, hash)
   SELECT $1, n, $2::timestamp, $1, $3, $4, $5, $5 FROM head`,
);
const insertOutbox = statement(
  "insert_outbox",
  `INSERT INTO outbox (patient_id, n, kind, resource_type, dependent, version, at)
   VALUES ($1, $2, 'change', 'Patient', 0, $3, $4::timestamp)`,
);
const updatePatient = statement(
  "update_patient",
  `UPDATE patient SET version = version + 1, updated_at = $2::timestamp, last_event = last_event + 1
   WHERE id = $1 RETURNING version, last_event AS event, document`,
);

/** The stored document of a patient. */
export async function selectDocument(pool: pg.Pool, id: string): Promise<Buffer | undefined> {
  const { rows } = await pool.query<{ document: Buffer }>(readById([id]));
  return rows[0]?.document;
}

/** The stored document of the patient with an identifier, whose hash the caller has computed. */
export async function selectDocumentOf(
  pool: pg.Pool,
  hmac: string,
  country: string,
  type: string,
): Promise<Buffer | undefined> {
  const values = [Buffer.from(hmac, "hex"), country, type];
  const { rows } = await pool.query<{ document: Buffer }>(readByIdentifier(values));
  return rows[0]?.document;
}

/** The stored documents of those who share most with blocks, each `key:weight`. */
export async function selectDocumentsSharing(pool: pg.Pool, blocks: readonly string[]): Promise<Buffer[]> {
  const [keys, weights] = [0, 1].map((part) => blocks.map((block) => block.split(":")[part]));
  const { rows } = await pool.query<{ document: Buffer }>(readSharing([keys, weights]));
  return rows.map(({ document }) => document);
}

/** What goes with a patient. */
export interface RowCounts {
  readonly identifiers: number;
  readonly blockKeys: number;
}

/** Writes the rows of a new patient with so many identifiers and block keys, and nothing else. */
export async function createRows(
  pool: pg.Pool,
  id: string,
  document: Buffer,
  { identifiers, blockKeys }: RowCounts,
): Promise<void> {
  const now = new Date().toISOString();
  const hashes = Array.from({ length: identifiers }, () => randomBytes(32)).sort(Buffer.compare);
  await inTransaction(pool, async (client) => {
    await client.query(insertIdentifiers([hashes, id]));
    await client.query(insertPatient([id, now, document]));
    await client.query(insertValues([hashes, id, randomBytes(40)]));
    await client.query(insertBlockKeys([Array.from({ length: blockKeys }, randomKey), id]));
    await client.query(insertHistory([id, 1, now, document, KEY_ID, randomBytes(AUTHOR_BYTES)]));
    await client.query(insertOutbox([id, 1, 1, now]));
    await client.query(auditEntry(id, now));
  });
}

/**
 * Writes the rows of a patient's next version with another e-mail address. The document stays as it is: the service
 * could not read another.
 */
export async function updateRows(pool: pg.Pool, id: string): Promise<void> {
  const now = new Date().toISOString();
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ version: number; event: number; document: Buffer }>(
      updatePatient([id, now]),
    );
    const [row] = rows;
    if (!row) throw new Error(`There is no patient ${id}.`);
    const key = randomKey();
    await client.query(deleteBlockKey([id, blockKeys.get(id) ?? "0"]));
    await client.query(insertBlockKeys([[key], id]));
    await client.query(
      insertHistory([id, row.version, now, row.document, KEY_ID, randomBytes(AUTHOR_BYTES)]),
    );
    await client.query(insertOutbox([id, row.event, row.version, now]));
    await client.query(auditEntry(id, now));
    blockKeys.set(id, key);
  });
}

/** The one that a patient's last change made. */
const blockKeys = new Map<string, string>();
export const KEY_ID = "00000000-0000-0000-0000-000000000000";
/** About what a sealed author and a sealed entry of a doctor take. */
export const [AUTHOR_BYTES, ENTRY_BYTES] = [150, 320];

function randomKey(): string {
  return String(randomBytes(8).readBigInt64BE());
}

function auditEntry(id: string, now: string): pg.QueryConfig {
  return insertAuditEntry([id, now, KEY_ID, randomBytes(ENTRY_BYTES), randomBytes(32)]);
}

export async function inTransaction(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  let done = false;
  try {
    await client.query(begin([]));
    await work(client);
    await client.query(commit([]));
    done = true;
  } finally {
    client.release(!done);
  }
}
