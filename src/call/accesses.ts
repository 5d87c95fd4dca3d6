/**
 * The patients whose data a call has met, as far as its request and answer do not say so. Made once per call; whoever
 * looks at a patient notes it here.
 */
export class Accesses {
  readonly #looked = new Set<bigint>();
  readonly #recorded = new Set<bigint>();
  readonly #refusals: string[] = [];

  /** The data of a patient are decided on or answered, though the answer may not name the patient. */
  noteLook(patientId: bigint): void {
    this.#looked.add(patientId);
  }

  /** What the call did with a patient is committed with its entry in the audit trail: a write always, a read where it can be. */
  noteRecorded(patientId: bigint): void {
    this.#recorded.add(patientId);
  }

  /** A part of what was asked for is refused, in these words, though the call as a whole is answered. */
  noteRefusal(words: string): void {
    this.#refusals.push(words);
  }

  /** The refusals noted since they were taken last. */
  takeRefusals(): readonly string[] {
    return this.#refusals.splice(0);
  }

  get looked(): ReadonlySet<bigint> {
    return this.#looked;
  }

  get recorded(): ReadonlySet<bigint> {
    return this.#recorded;
  }
}
