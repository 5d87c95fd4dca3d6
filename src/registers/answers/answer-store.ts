/** Which answer: what was asked about whom. */
export interface AnswerKey {
  readonly personalCode: string;
  /** Name of the question, such as population.ReadPerson. */
  readonly query: string;
}

/** Where answers of registers are kept, for all replicas of an adapter. */
export interface AnswerStore {
  /** The bytes that were kept and are still good at that time. */
  read(key: AnswerKey, now: Date): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * Keeps bytes until a time, in place of what was kept before; but not of what is kept for longer, up to `latest`: that
   * was asked for later, and came sooner. What is kept for longer still is of another setting.
   */
  keep(key: AnswerKey, answer: Uint8Array<ArrayBuffer>, until: Date, latest?: Date): Promise<void>;
  /** Takes the right to ask, for so many milliseconds; false while another replica has it. */
  claim(key: AnswerKey, holder: string, milliseconds: number): Promise<boolean>;
  release(key: AnswerKey, holder: string): Promise<void>;
}
