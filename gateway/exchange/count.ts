/** More than the core ever answers with, and no more than its messages can hold. */
const MOST = 1_000_000;

/** How many are asked for, in digits, with zeros before them or not; undefined for what is no count. */
export function parseCount(text: string): number | undefined {
  return /^\d+$/.test(text) ? Math.min(Number(text), MOST) : undefined;
}
