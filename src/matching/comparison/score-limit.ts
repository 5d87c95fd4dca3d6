import { isNational } from "./compare-identifiers.ts";
import type { Person } from "./person.ts";
import { LIKELIHOODS, type Likelihoods, PRIORS } from "./weights.ts";

/**
 * What no score reaches of a person and somebody who was born on quite another day and has none of the person's telecoms
 * or identifiers: all else agrees, and neither twins nor relatives are thought of.
 */
export function limitForAnotherBirthDate({ addresses, identifiers }: Person): number {
  const agreeing: Likelihoods[] = [
    LIKELIHOODS.family.exact,
    LIKELIHOODS.given.exact,
    LIKELIHOODS.birthDate.different,
    LIKELIHOODS.gender.same,
    ...(addresses.length > 0 ? [LIKELIHOODS.address.same] : []),
    ...(identifiers.some(isNational) ? [LIKELIHOODS.identifier.nearNational] : []),
  ];
  const odds = [PRIORS, ...agreeing].reduce(
    (product, [one, , , strangers]) => product * (one / strangers),
    1,
  );
  return odds / (1 + odds);
}
