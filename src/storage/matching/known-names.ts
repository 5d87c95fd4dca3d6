import { variantKeys } from "../../matching/index.ts";

/** Writes names under their variants; those that are there already stay. */
export type WriteVariants = (variants: readonly bigint[], forms: readonly string[]) => Promise<void>;

/** So many names are remembered, so that common ones cost nothing. */
const MOST_REMEMBERED = 50_000;

/**
 * Sees to it that names can be found by their variants. They are written before the patient that bears them, and by
 * themselves: a name of nobody does no harm, a lock on one that many bear would.
 */
export class KnownNames {
  readonly #write: WriteVariants;
  /** Whether what is written now may still be undone. */
  readonly #mayBeUndone: () => boolean;
  readonly #remembered = new Set<string>();

  constructor(write: WriteVariants, mayBeUndone: () => boolean = () => false) {
    this.#write = write;
    this.#mayBeUndone = mayBeUndone;
  }

  async add(forms: Iterable<string>): Promise<void> {
    const unknown = [...new Set(forms)].filter((form) => !this.#remembered.has(form));
    if (unknown.length === 0) return;
    const rows = unknown.flatMap((form) => variantKeys(form).map((variant) => ({ variant, form })));
    // In one order, so that two writers never wait for each other.
    rows.sort((one, other) => Number(one.variant > other.variant) - Number(one.variant < other.variant));
    await this.#write(
      rows.map(({ variant }) => variant),
      rows.map(({ form }) => form),
    );
    if (this.#mayBeUndone()) return;
    if (this.#remembered.size + unknown.length > MOST_REMEMBERED) this.#remembered.clear();
    for (const form of unknown) this.#remembered.add(form);
  }
}
