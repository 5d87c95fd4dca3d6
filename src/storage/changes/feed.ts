import { Prisma } from "../../../prisma/gen/client.ts";
import type { ChangesPage, FeedPlace } from "../../resources/index.ts";
import type { Database, Transaction } from "../connection/database.ts";
import type { ResourceType } from "./outbox.ts";

export interface FeedRow {
  readonly position: bigint;
  readonly publishedAt: Date;
  readonly patientId: bigint;
  /** Number of the dependent; 0 for the patient itself. */
  readonly dependent: number;
  readonly version: number;
}

/** Rows of the feed of a type from a position on, at most one more than the page holds: then there is a next page. */
export async function selectFeed(
  database: Database,
  type: ResourceType,
  from: bigint,
  page: Omit<ChangesPage, "since">,
): Promise<FeedRow[]> {
  const after = page.oldestFirst
    ? Prisma.sql`position > ${page.after?.position ?? 0n}`
    : Prisma.sql`position < ${page.after?.position ?? 9223372036854775807n}`;
  const order = page.oldestFirst ? Prisma.sql`position` : Prisma.sql`position DESC`;
  return await database.$queryRaw<FeedRow[]>`
    SELECT position, published_at AS "publishedAt", patient_id AS "patientId", dependent, version
    FROM feed WHERE resource_type = ${type} AND ${after} AND position >= ${from}
    ORDER BY ${order} LIMIT ${page.size + 1}`;
}

/** The part of a feed that was published since an instant. */
export interface Extent {
  /** Position of its first change; undefined when nothing was published since. */
  readonly first: bigint | undefined;
  /** Place of the last change of the feed; 0 of an empty one. */
  readonly end: FeedPlace;
}

/**
 * Where the changes since an instant stand. Positions have no gaps, and what is published later stands later: so these are
 * two look-ups, however long the feed is.
 */
export async function selectExtent(
  database: Database,
  type: ResourceType,
  since: Date | undefined,
): Promise<Extent> {
  const last = await selectEnd(database, type);
  const end = last ? placeOf(last) : { position: 0n };
  if (!since) return { first: 1n, end };
  const [first] = await database.$queryRaw<{ position: bigint }[]>`
    SELECT position FROM feed WHERE resource_type = ${type} AND published_at >= ${since}
    ORDER BY published_at, position LIMIT 1`;
  return { first: first?.position, end };
}

/** Whether what stands at a place of the feed of a type was published when the place says. */
export async function holdsPlace(
  database: Database,
  type: ResourceType,
  { position, publishedAt }: FeedPlace,
): Promise<boolean> {
  if (!publishedAt) return true;
  const [row] = await database.$queryRaw<{ publishedAt: Date }[]>`
    SELECT published_at AS "publishedAt" FROM feed WHERE resource_type = ${type} AND position = ${position}`;
  return row?.publishedAt.getTime() === publishedAt.getTime();
}

export function placeOf({ position, publishedAt }: FeedRow): FeedPlace {
  return { position, publishedAt };
}

/** The last row of the feed of a type. */
export async function selectEnd(
  database: Database | Transaction,
  type: ResourceType,
): Promise<FeedRow | undefined> {
  const [last] = await database.$queryRaw<FeedRow[]>`
    SELECT position, published_at AS "publishedAt", patient_id AS "patientId", dependent, version
    FROM feed WHERE resource_type = ${type} ORDER BY position DESC LIMIT 1`;
  return last;
}
