import { Prisma } from "../../../prisma/gen/client.ts";
import type { HistoryPage } from "../../resources/index.ts";

/**
 * The versions of a resource since an instant: those behind `before`, up to `last`, 0 where there is none. Versions have
 * no gaps and each is later than the one before, so nobody needs to go through all of them to count them.
 */
export interface VersionSpan {
  readonly before: number;
  readonly last: number;
}

export function totalOf({ before, last }: VersionSpan): number {
  return last - before;
}

/** The order of the versions of a page. */
export function orderOfVersions({ oldestFirst }: HistoryPage): Prisma.Sql {
  return oldestFirst ? Prisma.sql`version` : Prisma.sql`version DESC`;
}

/** What ends a statement whose last condition stands before it: the versions of a page, and one more if there is a next one. */
export function versionsOnPage({ before, last }: VersionSpan, page: HistoryPage): Prisma.Sql {
  const { oldestFirst, after, size } = page;
  const within = oldestFirst
    ? Prisma.sql`AND version > ${Math.max(before, after ?? 0)} AND version <= ${last}`
    : Prisma.sql`AND version > ${before} AND version < ${Math.min(last + 1, after ?? last + 1)}`;
  return Prisma.sql`${within} ORDER BY ${orderOfVersions(page)} LIMIT ${size + 1}`;
}
