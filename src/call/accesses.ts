/**
 * The patients whose data a call has met, as far as its request and answer do not say so. Made once per call; whoever
 * looks at a patient notes it here.
 */
export class Accesses {
  readonly #looked = new Set<bigint>();
  readonly #written = new Set<bigint>();

  /** The data of a patient are decided on or answered, though the answer may not name the patient. */
  noteLook(patientId: bigint): void {
    this.#looked.add(patientId);
  }

  /** A write of a patient is committed, with its own entry in the audit trail. */
  noteWrite(patientId: bigint): void {
    this.#written.add(patientId);
  }

  get looked(): ReadonlySet<bigint> {
    return this.#looked;
  }

  get written(): ReadonlySet<bigint> {
    return this.#written;
  }
}
