/** A list of versions or changes, as a caller asks for it. */
export interface ListRequest {
  readonly pageSize: number;
  readonly pageToken: string;
  readonly since?: Date;
  readonly oldestFirst: boolean;
}

/** A page of versions or changes, as a store is asked for it. */
export interface ListPage<Place> {
  readonly size: number;
  readonly oldestFirst: boolean;
  readonly since?: Date;
  /** Place after which, in the order asked for, the page begins. */
  readonly after?: Place;
}

/** Versions of one resource, each at the place of its number. */
export type HistoryPage = ListPage<number>;

/** A place in a feed. */
export interface FeedPlace {
  readonly position: bigint;
  /**
   * When what stands there was published: a database that was put back to an earlier time gives its positions once more. Undefined
   * of the beginning of a feed, and in tokens of builds before 22 November 2026.
   */
  readonly publishedAt?: Date;
}

/** Published changes of all resources of a type. */
export type ChangesPage = ListPage<FeedPlace>;
