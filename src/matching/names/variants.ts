/** How many typing errors a name may have. */
export const MOST_TYPOS = 2;

/** Only so many letters at the beginning are varied; it is enough, see below, and keeps a long name from having thousands. */
const PREFIX = 7;

/**
 * What is left of a name when up to two of its first letters are left out. Two names within two typing errors of each
 * other have a variant in common: an error, of whatever kind, is undone by leaving out at most one letter on each side,
 * and cutting both at the same length leaves out no more letters than that on either side. The reverse does not hold, so
 * names that are found by a variant are still to be compared.
 */
export function nameVariants(form: string): ReadonlySet<string> {
  const variants = new Set([form.slice(0, PREFIX)]);
  for (let typo = 0; typo < MOST_TYPOS; typo++) {
    for (const variant of [...variants]) {
      for (let place = 0; place < variant.length; place++) {
        variants.add(variant.slice(0, place) + variant.slice(place + 1));
      }
    }
  }
  return variants;
}
