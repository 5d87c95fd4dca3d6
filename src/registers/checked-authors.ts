import { ExpiringMemory } from "../concurrency/expiring-memory.ts";
import { MpiError } from "../errors/index.ts";
import { type AuthorCheck, checkAuthor } from "./check-author.ts";

export interface CheckedAuthorsOptions extends AuthorCheck {
  /** How long the register is not asked again about somebody. */
  readonly keepMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The register did not say whether somebody is still there. */
  readonly onFailure: (error: unknown) => void;
}

/** Authors that a process remembers, some 10 MB of them. */
const MOST_AUTHORS = 100_000;

/**
 * Authors who were found in the population register. They go on whatever the register does later: one who was found
 * long ago is looked for again beside the call, and refused from the next one on if he is no longer there.
 */
export class CheckedAuthors {
  readonly #options: CheckedAuthorsOptions;
  readonly #goodUntil: ExpiringMemory<number>;

  constructor(options: CheckedAuthorsOptions) {
    this.#options = options;
    this.#goodUntil = new ExpiringMemory(MOST_AUTHORS, options.now);
  }

  /** Whether the author was found before; if that was long ago, `inBackground` runs what looks for him again. */
  isKnown(personalCode: string, inBackground: (check: () => void) => void): boolean {
    const goodUntil = this.#goodUntil.get(personalCode);
    if (goodUntil === undefined) return false;
    if (goodUntil <= this.#options.now()) {
      // Meanwhile nobody else asks.
      this.#keep(personalCode, this.#options.now() + RETRY_MS);
      inBackground(() => void this.#checkAgain(personalCode));
    }
    return true;
  }

  /** Looks for the author in the register; throws as checkAuthor does. */
  async check(personalCode: string): Promise<void> {
    await checkAuthor(this.#options, personalCode);
    this.#keep(personalCode, this.#options.now() + this.#options.keepMs);
  }

  async #checkAgain(personalCode: string): Promise<void> {
    try {
      await this.check(personalCode);
    } catch (error) {
      if (isRefused(error)) this.#goodUntil.forget(personalCode);
      else this.#options.onFailure(error);
    }
  }

  #keep(personalCode: string, goodUntil: number): void {
    this.#goodUntil.keep(personalCode, goodUntil, Number.POSITIVE_INFINITY);
  }
}

/** Until a register that said nothing about somebody is asked about him again. */
const RETRY_MS = 60_000;

/** That the register knows no such person, rather than that it said nothing. */
function isRefused(error: unknown): boolean {
  const [first] = error instanceof MpiError ? error.issues : [];
  return first !== undefined && "meaning" in first && first.meaning === "AUTHOR_UNKNOWN_IN_RR";
}
