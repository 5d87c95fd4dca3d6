import { variantKeys } from "../../matching/index.ts";
import { unlessVictim } from "../connection/deadlock-victims.ts";

/** Writes names under their variants; those that are there already stay. */
export type WriteVariants = (variants: readonly bigint[], forms: readonly string[]) => Promise<void>;

/** Leaves names to the end of the transaction at hand; false where there is none. */
export type LeaveToTransaction = (unknown: readonly string[]) => boolean;

/** So many names are remembered, so that common ones cost nothing. */
const MOST_REMEMBERED = 50_000;

/**
 * Sees to it that names can be found by their variants. They are written before the patient that bears them, and by
 * themselves: a name of nobody does no harm, a lock on one that many bear would. Those of a transaction are written at
 * its end.
 */
export class KnownNames {
  readonly #write: WriteVariants;
  readonly #leave: LeaveToTransaction;
  readonly #remembered = new Set<string>();

  constructor(write: WriteVariants, leave: LeaveToTransaction = () => false) {
    this.#write = write;
    this.#leave = leave;
  }

  async add(forms: Iterable<string>): Promise<void> {
    const unknown = [...new Set(forms)].filter((form) => !this.#remembered.has(form));
    if (unknown.length === 0 || this.#leave(unknown)) return;
    await unlessVictim(() => writeForms(unknown, this.#write));
    this.remember(unknown);
  }

  /** Remembers names as written; called only once nothing can undo that. */
  remember(forms: readonly string[]): void {
    if (this.#remembered.size + forms.length > MOST_REMEMBERED) this.#remembered.clear();
    for (const form of forms) this.#remembered.add(form);
  }
}

/** Writes names under their variants in one order, so that two writers never wait for each other in a circle. */
export async function writeForms(forms: readonly string[], write: WriteVariants): Promise<void> {
  const rows = forms.flatMap((form) => variantKeys(form).map((variant) => ({ variant, form })));
  rows.sort(byVariantAndForm);
  await write(
    rows.map(({ variant }) => variant),
    rows.map(({ form }) => form),
  );
}

interface NameVariant {
  readonly variant: bigint;
  readonly form: string;
}

function byVariantAndForm(one: NameVariant, other: NameVariant): number {
  if (one.variant !== other.variant) return one.variant < other.variant ? -1 : 1;
  return Number(one.form > other.form) - Number(one.form < other.form);
}
