import { AsyncLocalStorage } from "node:async_hooks";
import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import { MpiError } from "../../errors/index.ts";
import {
  type IndexKey,
  type IndexKeys,
  type KeyRing,
  KeysReplaced,
  sealBytes,
  unsealBytes,
} from "../../identifier-index/index.ts";
import type { Database } from "../connection/database.ts";
import { areInUse, underKeysInUse } from "../sealing/keys-in-use.ts";
import { readingOf } from "../sealing/unreadable.ts";

/** A key of audit entries as it is kept. */
export interface AuditKeyRow {
  readonly keyId: string;
  readonly sealedBy: string;
  readonly ciphertext: Uint8Array<ArrayBuffer>;
}

/** A key is used for so long; then there is a new one. */
const LIFETIME_MS = 24 * 3_600_000;
/** How long after a failure a new key is tried again. */
const RETRY_MS = 60_000;
const KEY_LENGTH = 32;

/**
 * The keys that a process seals audit entries with. Entries can never be sealed anew, so each process makes keys of its own for them and keeps
 * those in the database, sealed under a key of the index: when that one changes, only these few rows do.
 */
export class AuditKeys {
  readonly #database: Database;
  readonly #ring: KeyRing;
  readonly #onFailure: (cause: unknown) => void;
  /** A new key is not the business of the call that finds the old one outdated, nor of its transaction. */
  readonly #apart = AsyncLocalStorage.snapshot();
  #current: IndexKey | undefined;
  #until = 0;

  private constructor(database: Database, ring: KeyRing, onFailure: (cause: unknown) => void) {
    this.#database = database;
    this.#ring = ring;
    this.#onFailure = onFailure;
  }

  /** Keys with a first one to seal with. `onFailure` is told when a later one cannot be made; it is tried again. */
  static async create(
    database: Database,
    ring: KeyRing,
    now: Date,
    onFailure: (cause: unknown) => void,
  ): Promise<AuditKeys> {
    const auditKeys = new AuditKeys(database, ring, onFailure);
    await auditKeys.#renew(now);
    return auditKeys;
  }

  /** The key that new entries are sealed with. A new one is made beside the work that goes on with the old one. */
  current(now: Date): IndexKey {
    if (this.#until <= now.getTime()) {
      this.#until = now.getTime() + RETRY_MS;
      this.#apart(() => this.#renew(now)).catch(this.#onFailure);
    }
    if (!this.#current) throw new Error("There is no key for audit entries.");
    return this.#current;
  }

  async #renew(now: Date): Promise<void> {
    const key = await this.#create(now);
    this.#current = key;
    this.#until = now.getTime() + LIFETIME_MS;
  }

  async #create(now: Date): Promise<IndexKey> {
    const keyId = randomUUID();
    const bytes = randomBytes(KEY_LENGTH);
    await underKeysInUse(this.#database, this.#ring, async (keys) => {
      const { keyId: sealedBy, ciphertext } = sealBytes(keys.primary, contextOf(keyId), bytes);
      const kept = await this.#database.$executeRaw`
        INSERT INTO audit_key (key_id, sealed_by, ciphertext, created_at)
        SELECT ${keyId}, ${sealedBy}, ${ciphertext}::bytea, ${now}::timestamp WHERE ${areInUse(keys)}`;
      if (kept === 0) throw new KeysReplaced("The key of audit entries was sealed too late.");
    });
    return keyOf(keyId, bytes);
  }
}

/** Finds the keys that entries were sealed with, by their ids; each is read once (MPI-003 when one does not open). */
export function auditKeyring(database: Database, ring: KeyRing) {
  const opened = new Map<string, IndexKey>();
  return async (keyIds: readonly string[]): Promise<ReadonlyMap<string, IndexKey>> => {
    const missing = [...new Set(keyIds)].filter((keyId) => !opened.has(keyId));
    if (missing.length === 0) return opened;
    return await ring.under(async (keys) => {
      const rows = await database.$queryRaw<AuditKeyRow[]>`
        SELECT key_id AS "keyId", sealed_by AS "sealedBy", ciphertext FROM audit_key WHERE key_id = ANY(${missing})`;
      for (const row of rows) opened.set(row.keyId, openKey(keys, row));
      return opened;
    });
  };
}

/** Seals the keys of audit entries under another key of the index, each row by itself; tells of those that do not open. */
export async function moveAuditKeys(
  database: Database,
  keys: IndexKeys,
  to: IndexKey,
): Promise<{ readonly rows: number; readonly unreadable: MpiError[] }> {
  const rows = await database.$queryRaw<AuditKeyRow[]>`
    SELECT key_id AS "keyId", sealed_by AS "sealedBy", ciphertext FROM audit_key WHERE sealed_by <> ${to.keyId}`;
  const unreadable: MpiError[] = [];
  for (const { keyId, sealedBy, ciphertext } of rows) {
    try {
      const context = contextOf(keyId);
      const moved = sealBytes(to, context, unsealBytes(keys, context, { keyId: sealedBy, ciphertext }));
      await database.$executeRaw`
        UPDATE audit_key SET sealed_by = ${moved.keyId}, ciphertext = ${moved.ciphertext} WHERE key_id = ${keyId}`;
    } catch (cause) {
      if (!(cause instanceof MpiError)) throw cause;
      unreadable.push(cause);
    }
  }
  return { rows: rows.length - unreadable.length, unreadable };
}

/** What is wrong with keys of audit entries: those that do not open. */
export async function unreadableAuditKeys(database: Database, keys: IndexKeys): Promise<MpiError[]> {
  const rows = await database.$queryRaw<AuditKeyRow[]>`
    SELECT key_id AS "keyId", sealed_by AS "sealedBy", ciphertext FROM audit_key`;
  return rows.flatMap((row) => {
    const reading = readingOf(() => openKey(keys, row));
    return "unreadable" in reading ? [reading.unreadable] : [];
  });
}

export function opensAuditKey(keys: IndexKeys, row: AuditKeyRow): boolean {
  return "content" in readingOf(() => openKey(keys, row));
}

function openKey(keys: IndexKeys, { keyId, sealedBy, ciphertext }: AuditKeyRow): IndexKey {
  return keyOf(keyId, unsealBytes(keys, contextOf(keyId), { keyId: sealedBy, ciphertext }));
}

/** A key moved to another id does not open. */
function contextOf(keyId: string): string {
  return JSON.stringify(["audit-key", keyId]);
}

function keyOf(keyId: string, bytes: Uint8Array): IndexKey {
  const secret = createSecretKey(bytes);
  return { keyId, encryption: secret, hmac: secret };
}
