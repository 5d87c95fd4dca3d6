/** What makes several writes one. */
export interface UnitOfWork {
  /**
   * Does work whose reads and writes on every store are one whole: all is written at its end, or nothing when it
   * throws. Work that lost a deadlock is asked again, so it must not have other effects.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Locks patients, and the primaries of their groups, until the end of the work; in one order for everybody. */
  lockPatients(ids: readonly bigint[]): Promise<void>;
}
