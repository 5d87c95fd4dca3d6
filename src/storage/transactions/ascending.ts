/** Ids, each once, in the order in which everybody locks patients: so nobody waits in a circle. */
export function ascending(ids: Iterable<bigint>): bigint[] {
  return [...new Set(ids)].sort((one, other) => (one < other ? -1 : 1));
}
