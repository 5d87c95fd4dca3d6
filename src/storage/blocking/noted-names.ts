import type { Transaction } from "../connection/database.ts";

/** How names are written in a transaction, and what is known of them once it is committed. */
export interface NamesOfTransaction {
  write(transaction: Transaction, forms: ReadonlySet<string>): Promise<void>;
  committed(forms: ReadonlySet<string>): void;
}

interface Noted {
  readonly names: NamesOfTransaction;
  readonly forms: Set<string>;
}

const notedNames = new WeakMap<Transaction, Map<NamesOfTransaction, Noted>>();

/**
 * Notes names that a transaction writes at its end. Names that somebody else bears too are waited for until his
 * transaction ends: written as they come, in whatever order, several transactions would wait for each other in circles.
 */
export function noteNames(
  transaction: Transaction,
  names: NamesOfTransaction,
  forms: Iterable<string>,
): void {
  const all = notedNames.get(transaction) ?? new Map<NamesOfTransaction, Noted>();
  notedNames.set(transaction, all);
  const noted = all.get(names) ?? { names, forms: new Set() };
  all.set(names, noted);
  for (const form of forms) noted.forms.add(form);
}

/** Writes what was noted; to be called as the last write before the commit, so that nobody waits for anything else behind it. */
export async function writeNames(transaction: Transaction): Promise<void> {
  for (const { names, forms } of notedOf(transaction)) await names.write(transaction, forms);
}

/** Tells that the names are committed. */
export function confirmNames(transaction: Transaction): void {
  for (const { names, forms } of notedOf(transaction)) names.committed(forms);
}

function notedOf(transaction: Transaction): Noted[] {
  return [...(notedNames.get(transaction)?.values() ?? [])];
}
