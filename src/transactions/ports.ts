/** What makes several writes one. */
export interface UnitOfWork {
  /**
   * Does work whose reads and writes on every store are one whole: all is written at its end, or nothing when it
   * throws. Work that lost a deadlock is asked again, so it must not have other effects.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Locks patients until the end of the work with the primaries of their groups: at its beginning in one order for
   * everybody; those whom it comes upon later at once or not at all, and then the work is asked again. Tells the primary of
   * each that it locked at the beginning and that is in a group.
   */
  lockPatients(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, bigint>>;
}
