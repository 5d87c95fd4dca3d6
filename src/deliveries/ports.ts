/** The right to deliver what waits in a queue: one has it at a time, so that the order is kept. */
export interface Lease {
  /** Takes or renews it, for so many milliseconds; false while somebody else has it. */
  lease(holder: string, milliseconds: number): Promise<boolean>;
  /** Renews it, also when its time has run out; false when somebody else has had it since. */
  renew(holder: string, milliseconds: number): Promise<boolean>;
  /** Gives it back, for the next one not to wait. */
  release(holder: string): Promise<void>;
}

/** Where something stands among what waits to be delivered: by time, then patient, then number. */
export interface OutboxPlace {
  readonly at: Date;
  readonly patientId: bigint;
  /** Its place in the outbox of the patient. */
  readonly n: number;
}
