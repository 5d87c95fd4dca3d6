/** How a register failed to answer: nobody there, too late, or nothing that can be understood. */
export type Silence = "unreachable" | "late" | "garbage";

/** The register gave no answer. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  readonly silence: Silence;
  /** Whether it had all the time that it may take: not so when its caller has less. */
  readonly hadItsTime: boolean;

  constructor(silence: Silence, cause?: unknown, { hadItsTime = true } = {}) {
    super(`The register is ${silence}.`, { cause });
    this.silence = silence;
    this.hadItsTime = hadItsTime;
  }
}

/** The register, or the exchange layer on the way to it, answered with an error. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  /** The register's code, or the type of the exchange layer's error; undefined when there was none. */
  readonly code: string | undefined;
  readonly text: string;
  /** It came from the exchange layer: the register itself said nothing. */
  readonly isFromExchange: boolean;

  constructor(refusal: { code: string | undefined; text: string; isFromExchange: boolean }) {
    // The message of a register may hold values, so it is kept out of what is logged.
    super("The register answered with an error.");
    this.code = refusal.code;
    this.text = refusal.text;
    this.isFromExchange = refusal.isFromExchange;
  }
}
