import { Prisma } from "../../../prisma/gen/client.ts";
import type { MpiError } from "../../errors/index.ts";
import type { IndexKey, IndexKeys } from "../../identifier-index/index.ts";
import type { Moved } from "../../index-maintenance/ports.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { type KnownAuthor, resealedAuthor } from "../sealing/authors.ts";
import { openAll } from "../sealing/unreadable.ts";

/** A table of histories: which columns name a version of it. */
interface HistoryTable {
  readonly table: Prisma.Sql;
  readonly patientId: Prisma.Sql;
  /** The number of the dependent; the patient itself has none. */
  readonly n: Prisma.Sql;
}

const dependents = { patientId: Prisma.sql`patient_id`, n: Prisma.sql`n` };

const EVERY_KEY = "";

export const historyTables: readonly HistoryTable[] = [
  { table: Prisma.sql`patient_history`, patientId: Prisma.sql`id`, n: Prisma.sql`0` },
  { table: Prisma.sql`related_person_history`, ...dependents },
  { table: Prisma.sql`observation_history`, ...dependents },
];

export interface AuthorRow extends KnownAuthor {
  readonly patientId: bigint;
  readonly n: number;
  readonly version: number;
}

/** Seals who made the versions of patients, and of what lies with them, under another key. */
export async function moveAuthors(
  transaction: Transaction,
  keys: IndexKeys,
  to: IndexKey,
  ids: readonly bigint[],
): Promise<Pick<Moved, "rows" | "unreadable">> {
  const unreadable: MpiError[] = [];
  let rows = 0;
  for (const history of historyTables) {
    const sealed = await selectAuthorsOf(transaction, history, to.keyId, ids);
    const { contents: moved, unreadable: unmoved } = openAll(sealed, (row) => ({
      ...row,
      ...resealedAuthor(keys, to, row.patientId, row),
    }));
    unreadable.push(...unmoved);
    if (moved.length > 0) await updateAuthors(transaction, history, moved);
    rows += moved.length;
  }
  return { rows, unreadable };
}

/** Who made the versions of patients, and of what lies with them. */
export async function selectAuthors(
  database: Database | Transaction,
  ids: readonly bigint[],
): Promise<AuthorRow[]> {
  const authors: AuthorRow[] = [];
  for (const history of historyTables) {
    authors.push(...(await selectAuthorsOf(database, history, EVERY_KEY, ids)));
  }
  return authors;
}

/** Those of one table that are not under a key. */
async function selectAuthorsOf(
  database: Database | Transaction,
  { table, patientId, n }: HistoryTable,
  keyId: string,
  ids: readonly bigint[],
): Promise<AuthorRow[]> {
  return await database.$queryRaw<AuthorRow[]>`
    SELECT ${patientId} AS "patientId", ${n} AS n, version, author_key_id AS "authorKeyId", author
    FROM ${table} WHERE ${patientId} = ANY(${ids}) AND author_key_id <> ${keyId} AND author IS NOT NULL`;
}

async function updateAuthors(
  transaction: Transaction,
  { table, patientId, n }: HistoryTable,
  moved: readonly AuthorRow[],
): Promise<void> {
  await transaction.$executeRaw`
    UPDATE ${table} AS held SET author_key_id = moved.author_key_id, author = moved.author
    FROM unnest(${moved.map((row) => row.patientId)}::bigint[], ${moved.map((row) => row.n)}::int[],
        ${moved.map((row) => row.version)}::int[], ${moved.map((row) => row.authorKeyId)}::text[],
        ${moved.map((row) => row.author)}::bytea[]) AS moved (moved_id, moved_n, version, author_key_id, author)
    WHERE held.${patientId} = moved_id AND ${n} = moved_n AND held.version = moved.version`;
}
