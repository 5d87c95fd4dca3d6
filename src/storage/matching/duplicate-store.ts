import { Prisma } from "../../../prisma/gen/client.ts";
import type { DuplicateStore, PossibleDuplicate } from "../../matching/index.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { unlessVictim } from "../connection/deadlock-victims.ts";

type Row = Omit<PossibleDuplicate, "reviewedAt"> & { readonly reviewedAt: Date | null };

const COLUMNS = Prisma.sql`patient_id AS id, other_id AS "otherId", score, grade, state,
  found_at AS "foundAt", reviewed_at AS "reviewedAt"`;

/** Possible duplicates on PostgreSQL. */
export function duplicateStore(database: Database): DuplicateStore {
  return {
    async keep(found, now) {
      if (found.length === 0) return;
      await unlessVictim(
        () => database.$executeRaw`
        INSERT INTO possible_duplicate (patient_id, other_id, score, grade, state, found_at)
        SELECT id, other_id, score, grade, 'open', ${now}
        FROM unnest(${found.map(({ id }) => id)}::bigint[], ${found.map(({ otherId }) => otherId)}::bigint[],
          ${found.map(({ score }) => score)}::double precision[], ${found.map(({ grade }) => grade)}::text[])
          AS given (id, other_id, score, grade)
        ON CONFLICT (patient_id, other_id) DO UPDATE
        SET score = excluded.score, grade = excluded.grade, found_at = excluded.found_at, state = 'open',
          reviewed_at = NULL
        WHERE possible_duplicate.state = 'open'
          OR (possible_duplicate.state IN ('confirmed', 'linked') AND possible_duplicate.reviewed_at < ${now})`,
      );
    },
    async dropOlder(since) {
      await unlessVictim(
        () => database.$executeRaw`
        DELETE FROM possible_duplicate
        WHERE (state = 'open' AND found_at < ${since}) OR (state = 'linked' AND reviewed_at < ${since})`,
      );
    },
    async list(state, after, limit) {
      const behind = after
        ? Prisma.sql`(score < ${after.score} OR (score = ${after.score} AND (patient_id, other_id) > (${after.id}, ${after.otherId})))`
        : Prisma.sql`true`;
      const rows = await database.$queryRaw<Row[]>`
        SELECT ${COLUMNS} FROM possible_duplicate WHERE state = ${state} AND ${behind}
        ORDER BY score DESC, patient_id, other_id LIMIT ${limit + 1}`;
      return rows.map(duplicateOf);
    },
    async count(state) {
      const [row] = await database.$queryRaw<{ total: bigint }[]>`
        SELECT count(*) AS total FROM possible_duplicate WHERE state = ${state}`;
      return Number(row?.total ?? 0);
    },
    async standing({ id, otherId }) {
      const [row] = await database.$queryRaw<{ state: string }[]>`
        SELECT state FROM possible_duplicate WHERE patient_id = ${id} AND other_id = ${otherId}`;
      return row?.state;
    },
    async decide({ id, otherId }, state, now, standing) {
      const [row] = await database.$queryRaw<Row[]>`
        UPDATE possible_duplicate SET state = ${state}, reviewed_at = ${now}
        WHERE patient_id = ${id} AND other_id = ${otherId} AND state = coalesce(${standing ?? null}::text, state)
        RETURNING ${COLUMNS}`;
      return row && duplicateOf(row);
    },
  };
}

/** Who is one person by a link need not be reviewed: the open pairs within a group are settled in the link's transaction. */
export async function settleLinked(
  transaction: Transaction,
  group: readonly bigint[],
  at: Date,
): Promise<void> {
  await transaction.$executeRaw`
    UPDATE possible_duplicate SET state = 'linked', reviewed_at = ${at}
    WHERE state = 'open' AND patient_id = ANY(${group}) AND other_id = ANY(${group})`;
}

function duplicateOf({ reviewedAt, ...row }: Row): PossibleDuplicate {
  return { ...row, reviewedAt: reviewedAt ?? undefined };
}
