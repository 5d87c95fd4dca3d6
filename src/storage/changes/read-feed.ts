import { MpiError } from "../../errors/index.ts";
import { type ChangesPage, type FeedPlace, fitting } from "../../resources/index.ts";
import type { Database } from "../connection/database.ts";
import { storedBytes } from "../sealing/stored-bytes.ts";
import { type FeedRow, holdsPlace, placeOf, selectExtent, selectFeed } from "./feed.ts";
import type { Publish } from "./gathered-publishing.ts";
import type { ResourceType } from "./outbox.ts";

/** A page of a feed: which versions were published. */
export interface FeedPage {
  readonly rows: readonly FeedRow[];
  readonly total: number;
  readonly hasMore: boolean;
  /** That of the last row of the page, or of the end of the feed when the page is empty. */
  readonly place: FeedPlace;
}

/**
 * Reads the feed of a type; what is committed when it is called is published first. Refused after a place that the feed has not any more
 * (FEED_PLACE_GONE): who read so far has seen changes that are gone, and would miss those that took their positions.
 */
export async function readFeed(
  database: Database,
  publish: Publish,
  type: ResourceType,
  page: ChangesPage,
  now: Date,
): Promise<FeedPage> {
  await publish(now);
  if (page.after && !(await holdsPlace(database, type, page.after)))
    throw new MpiError("FEED_PLACE_GONE", {}, { expression: ["page_token"] });
  // Before the rows: what is published meanwhile is then behind the position of an empty page, not in front of it.
  const { first, end } = await selectExtent(database, type, page.since);
  const found = first === undefined ? [] : await selectFeed(database, type, first, page);
  const rows = found.slice(0, page.size);
  const last = rows.at(-1);
  return {
    rows,
    total: first === undefined ? 0 : Math.max(0, Number(end.position - first) + 1),
    hasMore: found.length > page.size,
    place: last ? placeOf(last) : end,
  };
}

/** The same page, ended where its versions would take too many bytes. */
export function endedEarly(
  page: FeedPage,
  versionOf: (row: FeedRow) => Parameters<typeof storedBytes>[0] | undefined,
): FeedPage {
  const rows = fitting(page.rows, (row) => {
    const version = versionOf(row);
    return version ? storedBytes(version) : 0;
  });
  const last = rows.at(-1);
  if (!last || rows.length === page.rows.length) return page;
  return { ...page, rows, hasMore: true, place: placeOf(last) };
}
