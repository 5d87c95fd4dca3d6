/** One key of an order. */
export interface SortOrder<Key extends string> {
  readonly key: Key;
  readonly descending: boolean;
}

/** The order that `_sort` asks for, or the first key of it that is none of those that can be sorted by. */
export function parseSort<Key extends string>(
  values: readonly string[],
  keys: readonly Key[],
): SortOrder<Key>[] | string {
  const orders = values.map((value) => {
    const descending = value.startsWith("-");
    return { key: descending ? value.slice(1) : value, descending };
  });
  const refused = orders.find(({ key }) => !(keys as readonly string[]).includes(key));
  return refused ? refused.key : (orders as SortOrder<Key>[]);
}
