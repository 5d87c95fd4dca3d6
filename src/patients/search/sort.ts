import type { SortKey, SortOrder } from "../ports.ts";

const KEYS: readonly string[] = ["_lastUpdated", "birthdate", "death-date"] satisfies SortKey[];

/** The order that `_sort` asks for, or the first key of it that patients are not sorted by. */
export function parseSort(values: readonly string[]): SortOrder[] | string {
  const orders = values.map((value) => {
    const descending = value.startsWith("-");
    return { key: descending ? value.slice(1) : value, descending };
  });
  const refused = orders.find(({ key }) => !KEYS.includes(key));
  return refused ? refused.key : (orders as SortOrder[]);
}
