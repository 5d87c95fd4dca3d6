import { Prisma } from "../../../prisma/gen/client.ts";
import type { Rotation, RotationSize } from "../../index-maintenance/ports.ts";
import type { Database } from "../connection/database.ts";
import { hashesOfPart } from "./hash-parts.ts";
import { historyTables } from "./move-authors.ts";

interface Count {
  readonly sealed: bigint;
  readonly moved: bigint;
}

/** Counts what is under which key; each table at one moment, so that what is written meanwhile is whole in it. */
export async function rotationSize(database: Database, { from, to }: Rotation): Promise<RotationSize> {
  const sealed = [
    await count(
      database,
      Prisma.sql`
        SELECT count(*) AS sealed, count(*) FILTER (WHERE key_id = ${to}) AS moved FROM identifier_value`,
    ),
    await count(
      database,
      Prisma.sql`
        SELECT count(*) AS sealed, count(*) FILTER (WHERE sealed_by = ${to}) AS moved FROM audit_key`,
    ),
  ];
  for (const { table } of historyTables) {
    const counted = Prisma.sql`
      SELECT count(*) AS sealed, count(*) FILTER (WHERE author_key_id = ${to}) AS moved
      FROM ${table} WHERE author IS NOT NULL`;
    sealed.push(await count(database, counted));
  }
  const [blind] = await database.$queryRaw<{ all: bigint; old: bigint; new: bigint }[]>`
    SELECT count(*) AS all, count(*) FILTER (WHERE key_id = ${from}) AS old,
      count(*) FILTER (WHERE key_id = ${to}) AS new FROM identifier`;
  const [cached] = await database.$queryRaw<{ answers: bigint }[]>`
    SELECT count(*) AS answers FROM register_answer WHERE key_id = ${from}`;
  const [oldRows, newRows] = [Number(blind?.old ?? 0), Number(blind?.new ?? 0)];
  return {
    sealed: sum(sealed.map((one) => one.sealed)),
    moved: sum(sealed.map((one) => one.moved)),
    oldRows,
    newRows,
    strangeRows: Number(blind?.all ?? 0) - oldRows - newRows,
    answers: Number(cached?.answers ?? 0),
  };
}

async function count(database: Database, statement: Prisma.Sql): Promise<Count> {
  const [row] = await database.$queryRaw<Count[]>(statement);
  return row ?? { sealed: 0n, moved: 0n };
}

function sum(counts: readonly bigint[]): number {
  return counts.reduce((total, one) => total + Number(one), 0);
}

/** Deletes what is under a key in a part of the blind index. */
export async function deleteOldRows(
  database: Database,
  keyId: string,
  part: number,
  parts: number,
): Promise<void> {
  await database.$executeRaw`DELETE FROM identifier WHERE ${hashesOfPart(part, parts)} AND key_id = ${keyId}`;
}
