import type { IndexKeys } from "../../identifier-index/index.ts";
import type { PatientCriteria, SearchPage, SearchResult } from "../../patients/ports.ts";
import type { Database } from "../database.ts";
import { readablePatients, selectLinked } from "./groups.ts";
import { holdersOfAny } from "./holders.ts";
import type { Lookups } from "./lookups.ts";
import { selectPatients } from "./read-patients.ts";
import { selectMatches } from "./search.ts";

const NOBODY: SearchResult = { patients: [], unreadable: [], total: 0 };

type OtherCriteria = Omit<PatientCriteria, "identifiers">;

/** What a search looks in. */
export interface SearchPlace {
  readonly database: Database;
  readonly lookups: Lookups;
  readonly keys: IndexKeys;
}

/** The blind index and the patients are asked in statements of their own, each of which stays in one shard. */
export async function searchPatients(
  place: SearchPlace,
  criteria: PatientCriteria,
  page: SearchPage,
): Promise<SearchResult> {
  const { database, lookups, keys } = place;
  const { identifiers = [], ...others } = criteria;
  if (identifiers.length === 0) {
    const ids = await selectMatches(database, others, page);
    return ids.length > page.maximum ? "too-many" : await pageOf(database, keys, ids, page);
  }
  const lists = await Promise.all(identifiers.map((list) => holdersOfAny(lookups, keys, list)));
  return (
    (await onlyHolder(place, lists, others, page)) ??
    (await searchHolders(database, keys, lists, others, page))
  );
}

/** The plain case, in one statement: one holder, who is linked with nobody, and no other criteria. */
async function onlyHolder(
  { database, lookups, keys }: SearchPlace,
  lists: readonly (readonly bigint[])[],
  others: OtherCriteria,
  page: SearchPage,
): Promise<SearchResult | undefined> {
  const [[id, second] = []] = lists;
  if (id === undefined) return NOBODY;
  const isPlain = lists.length === 1 && second === undefined && Object.keys(others).length === 0;
  const row = isPlain && page.page === 1 ? await lookups.patient(id) : undefined;
  if (row?.rootId !== null) return undefined;
  return { ...(await readablePatients(database, keys, page.size > 0 ? [row] : [])), total: 1 };
}

/** Of each list a patient, or one that it is linked with, must be one; then the other criteria count. */
async function searchHolders(
  database: Database,
  keys: IndexKeys,
  lists: readonly (readonly bigint[])[],
  others: OtherCriteria,
  page: SearchPage,
): Promise<SearchResult> {
  const holders = new Set(lists.flat());
  const linked = await selectLinked(database, [...holders]);
  const whole = lists.map((list) => new Set(list.flatMap((id) => linked.get(id) ?? [id])));
  const given = others.ids ? [new Set(others.ids)] : [];
  const ids = [...given, ...whole].reduce((one, other) => one.intersection(other));
  if (ids.size === 0) return NOBODY;
  const all = { ...page, maximum: ids.size };
  const matches = await selectMatches(database, { ...others, ids: [...ids] }, all);
  // Groups count as those who were found themselves.
  if (matches.filter((id) => holders.has(id)).length > page.maximum) return "too-many";
  return await pageOf(database, keys, matches, page);
}

async function pageOf(
  database: Database,
  keys: IndexKeys,
  ids: readonly bigint[],
  { page, size }: SearchPage,
): Promise<SearchResult> {
  const start = (page - 1) * size;
  const rows = await selectPatients(database, ids.slice(start, start + size));
  return { ...(await readablePatients(database, keys, rows)), total: ids.length };
}
