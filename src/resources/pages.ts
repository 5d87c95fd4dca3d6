/** A list of versions or changes, as a caller asks for it. */
export interface ListRequest {
  readonly pageSize: number;
  readonly pageToken: string;
  readonly since?: Date;
  readonly oldestFirst: boolean;
}

/** Versions of one resource, as a store is asked for them. */
export interface HistoryPage {
  readonly size: number;
  readonly oldestFirst: boolean;
  readonly since?: Date;
  /** Version after which, in the order asked for, the page begins. */
  readonly after?: number;
}

/** Published changes of all resources of a type, as a store is asked for them. */
export interface ChangesPage {
  readonly size: number;
  readonly oldestFirst: boolean;
  readonly since?: Date;
  /** Feed position after which, in the order asked for, the page begins. */
  readonly after?: bigint;
}
