import { variantKeys } from "../../matching/index.ts";
import { unlessVictim } from "../transaction.ts";

interface NameVariant {
  readonly variant: bigint;
  readonly form: string;
}

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
    // In one order, so that two writers never wait for each other in a circle.
    rows.sort(byVariantAndForm);
    const write = () =>
      this.#write(
        rows.map(({ variant }) => variant),
        rows.map(({ form }) => form),
      );
    // What may be undone is part of a transaction, which names of earlier parts are locked in too: that is tried again.
    if (this.#mayBeUndone()) return await write();
    await unlessVictim(write);
    if (this.#remembered.size + unknown.length > MOST_REMEMBERED) this.#remembered.clear();
    for (const form of unknown) this.#remembered.add(form);
  }
}

function byVariantAndForm(one: NameVariant, other: NameVariant): number {
  if (one.variant !== other.variant) return one.variant < other.variant ? -1 : 1;
  return Number(one.form > other.form) - Number(one.form < other.form);
}
