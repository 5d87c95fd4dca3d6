/** What the rules need to know of the world: given to them, so that they stay pure. */
export interface RuleSetting {
  /** The instant of the request; what ended before it is ended. */
  readonly now: Date;
  /** The index's own URI, MPI_ERROR_SYSTEM_MPI: the system of its internal identifiers. */
  readonly indexSystem: string;
}
