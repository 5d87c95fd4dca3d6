import { Prisma } from "../../prisma/gen/client.ts";
import type { MpiError } from "../errors/index.ts";
import { blind, type IndexKeys, type KeyRing, sealBytes, unsealBytes } from "../identifier-index/index.ts";
import type { AnswerKey, AnswerStore } from "../registers/index.ts";
import type { Database, Transaction } from "./connection/database.ts";
import { databaseTime, isOver, later } from "./connection/lease.ts";
import { readingOf } from "./sealing/unreadable.ts";
import { writeUnderKeys } from "./transactions/write-under-keys.ts";

interface AnswerRow {
  readonly keyId: string;
  readonly ciphertext: Uint8Array<ArrayBuffer>;
}

/**
 * Kept answers on PostgreSQL. After the keys have changed an answer is not found any more, and the register is
 * asked again; so it is when an answer does not open, of which `onUnreadable` is told.
 */
export function answerStore(
  database: Database,
  ring: KeyRing,
  onUnreadable: (error: MpiError) => void,
): AnswerStore {
  return {
    read: (key, now) => ring.under((keys) => readAnswer(database, keys, key, now, onUnreadable)),
    keep: (key, answer, until, latest = until) =>
      writeUnderKeys(database, ring, (transaction, keys) =>
        keepAnswer(transaction, keys, key, answer, { until, latest }),
      ),
    claim: (key, holder, milliseconds) =>
      ring.under((keys) => claimQuestion(database, keys, key, { holder, milliseconds })),
    release: (key, holder) => ring.under((keys) => releaseQuestion(database, keys, key, holder)),
  };
}

async function readAnswer(
  database: Database,
  keys: IndexKeys,
  key: AnswerKey,
  now: Date,
  onUnreadable: (error: MpiError) => void,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const hmac = blind(keys.primary, key.personalCode);
  const [row] = await database.$queryRaw<AnswerRow[]>`
    SELECT key_id AS "keyId", ciphertext FROM register_answer
    WHERE person_hmac = ${hmac} AND query = ${key.query} AND kept_until > ${now}`;
  if (!row) return undefined;
  const reading = readingOf(() => unsealBytes(keys, contextOf(key), row));
  if ("content" in reading) return reading.content;
  onUnreadable(reading.unreadable);
  return undefined;
}

async function keepAnswer(
  transaction: Transaction,
  keys: IndexKeys,
  key: AnswerKey,
  answer: Uint8Array,
  { until, latest }: { readonly until: Date; readonly latest: Date },
): Promise<void> {
  const hmac = blind(keys.primary, key.personalCode);
  const { keyId, ciphertext } = sealBytes(keys.primary, contextOf(key), answer);
  await transaction.$executeRaw`
    INSERT INTO register_answer AS kept (person_hmac, query, key_id, ciphertext, kept_until)
    VALUES (${hmac}, ${key.query}, ${keyId}, ${ciphertext}, ${until})
    ON CONFLICT (person_hmac, query) DO UPDATE
    SET key_id = excluded.key_id, ciphertext = excluded.ciphertext, kept_until = excluded.kept_until
    WHERE kept.kept_until <= ${until} OR kept.kept_until > ${latest}`;
}

interface Claim {
  readonly holder: string;
  readonly milliseconds: number;
}

async function claimQuestion(
  database: Database,
  keys: IndexKeys,
  key: AnswerKey,
  { holder, milliseconds }: Claim,
): Promise<boolean> {
  const hmac = blind(keys.primary, key.personalCode);
  const now = await databaseTime(database);
  const claimed = await database.$executeRaw`
    INSERT INTO register_question AS asked (person_hmac, query, holder, held_until)
    VALUES (${hmac}, ${key.query}, ${holder}, ${later(now, milliseconds)})
    ON CONFLICT (person_hmac, query) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
    WHERE ${isOver(Prisma.sql`asked.held_until`, now, milliseconds)}`;
  return claimed > 0;
}

async function releaseQuestion(
  database: Database,
  keys: IndexKeys,
  key: AnswerKey,
  holder: string,
): Promise<void> {
  const hmac = blind(keys.primary, key.personalCode);
  await database.$executeRaw`
    DELETE FROM register_question
    WHERE person_hmac = ${hmac} AND query = ${key.query} AND holder = ${holder}`;
}

/** Removes the answers that are kept no longer, and what a killed replica was asking; says how many answers they were. */
export async function purgeAnswers(database: Database, now: Date): Promise<number> {
  const databaseNow = await databaseTime(database);
  await database.$executeRaw`DELETE FROM register_question WHERE held_until <= ${databaseNow}`;
  return await database.$executeRaw`DELETE FROM register_answer WHERE kept_until <= ${now}`;
}

/** An answer moved to another person or question does not open. */
function contextOf({ personalCode, query }: AnswerKey): string {
  return JSON.stringify(["register-answer", personalCode, query]);
}
