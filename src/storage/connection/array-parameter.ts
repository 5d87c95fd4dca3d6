import { Prisma } from "../../../prisma/gen/client.ts";

/**
 * An array of ids for `= ANY(…)` whose length PostgreSQL does not know when it plans. It would make a plan of its own
 * for each array of fewer than ten, as that seems cheaper than the general one, and take three times as long to plan the
 * statement as to do it. For one server: a cluster would not know which shards to ask.
 */
export function ofAnyLength(ids: readonly bigint[]): Prisma.Sql {
  return Prisma.sql`(SELECT ${[...ids]}::bigint[])::bigint[]`;
}
