import type { IndexKeys } from "../../../identifier-index/index.ts";
import { CHANGE } from "../../changes/outbox.ts";
import type { Transaction } from "../../connection/database.ts";
import { sealedAuthor } from "../../sealing/authors.ts";

/**
 * Writes to history and outbox the versions that patients were given in this transaction, with their content as it
 * is: by one statement each, however many they are.
 */
export async function recordNextVersions(
  transaction: Transaction,
  keys: IndexKeys,
  ids: readonly bigint[],
): Promise<void> {
  const authors = ids.map((id) => sealedAuthor(keys, id));
  await transaction.$executeRaw`
    INSERT INTO patient_history (id, version, updated_at, root_id, document, author_key_id, author)
    SELECT p.id, p.version, p.updated_at, p.root_id, p.document, written.author_key_id, written.author
    FROM unnest(${ids}::bigint[], ${authors.map(({ authorKeyId }) => authorKeyId)}::text[],
      ${authors.map(({ author }) => author)}::bytea[]) AS written (id, author_key_id, author)
    JOIN patient p ON p.id = written.id`;
  await transaction.$executeRaw`
    INSERT INTO outbox (patient_id, n, kind, resource_type, dependent, version, at)
    SELECT id, last_event, ${CHANGE}, 'Patient', 0, version, updated_at FROM patient WHERE id = ANY(${ids})`;
}

/** Gives a patient whose group shows something new its next version; it is locked by the caller. */
export async function writeNextVersion(
  transaction: Transaction,
  keys: IndexKeys,
  id: bigint,
  at: Date,
): Promise<void> {
  await transaction.$executeRaw`
    UPDATE patient SET version = version + 1, updated_at = ${at}, last_event = last_event + 1 WHERE id = ${id}`;
  await recordNextVersions(transaction, keys, [id]);
}
