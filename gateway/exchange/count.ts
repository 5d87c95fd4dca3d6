/** More than the core ever answers with, and no more than its messages can hold. */
const MOST = 1_000_000;

/** How many are asked for, as the core is asked for them; undefined for what is no count. */
export function parseCount(text: string): number | undefined {
  return /^(0|[1-9]\d*)$/.test(text) ? Math.min(Number(text), MOST) : undefined;
}
