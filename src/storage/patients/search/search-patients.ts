import type { IndexKeys } from "../../../identifier-index/index.ts";
import type { PatientCriteria, SearchPage, SearchResult } from "../../../patients/ports.ts";
import { fitting, sizeOfWholePages } from "../../../resources/index.ts";
import type { Database } from "../../connection/database.ts";
import { storedBytes } from "../../sealing/stored-bytes.ts";
import { readablePatients } from "../reading/groups.ts";
import { selectLinked } from "../reading/linked-patients.ts";
import { selectPatients, selectPatientsOnPage } from "../reading/read-patients.ts";
import { holdersOfAny, indexed } from "./holders.ts";
import type { Lookups } from "./lookups.ts";
import { type Match, type OtherCriteria, selectMatches } from "./select-matches.ts";

const NOBODY: SearchResult = { patients: [], unreadable: [], total: 0 };

/** What a search looks in. */
export interface SearchPlace {
  readonly database: Database;
  readonly lookups: Lookups;
  readonly keys: IndexKeys;
}

/** Beyond the plain case the blind index and the patients are asked in statements of their own, each of which stays in one shard. */
export async function searchPatients(
  place: SearchPlace,
  criteria: PatientCriteria,
  page: SearchPage,
): Promise<SearchResult> {
  const { database, lookups, keys } = place;
  const { identifiers = [], ...others } = criteria;
  if (identifiers.length === 0) {
    const matches = await selectMatches(database, others, page);
    return matches.length > page.maximum ? "too-many" : await pageOf(database, keys, matches, page);
  }
  const plain = await plainSearch(place, criteria, page);
  if (plain) return plain;
  const lists = await Promise.all(identifiers.map((list) => holdersOfAny(lookups, keys, list)));
  return await searchHolders(database, keys, lists, others, page);
}

/** The plain case, in one statement: by one identifier alone, whose only holder is linked with nobody. */
async function plainSearch(
  { database, lookups, keys }: SearchPlace,
  { identifiers = [], ...others }: PatientCriteria,
  page: SearchPage,
): Promise<SearchResult | undefined> {
  const [[token, ...alternatives] = [], ...further] = identifiers;
  const isPlain = alternatives.length + further.length === 0 && Object.keys(others).length === 0;
  if (!token || !isPlain || page.page > 1) return undefined;
  const row = await lookups.soleHolder(indexed(keys, token));
  if (row === undefined) return NOBODY;
  if (row === "several" || row.rootId !== null) return undefined;
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
  if (matches.filter(({ id }) => holders.has(id)).length > page.maximum) return "too-many";
  return await pageOf(database, keys, matches, page);
}

async function pageOf(
  database: Database,
  keys: IndexKeys,
  matches: readonly Match[],
  { page, size, mayEndEarly }: SearchPage,
): Promise<SearchResult> {
  const total = matches.length;
  const start = (page - 1) * size;
  const wanted = matches.slice(start, start + size);
  // Those that would not be shown anyway are not read.
  const asked = mayEndEarly ? fitting(wanted, ({ bytes }) => bytes) : wanted;
  const select = mayEndEarly ? selectPatientsOnPage : selectPatients;
  const rows = await select(
    database,
    asked.map(({ id }) => id),
  );
  const kept = mayEndEarly ? fitting(rows, storedBytes) : rows;
  if (asked.length === wanted.length && kept.length === rows.length) {
    return { ...(await readablePatients(database, keys, rows)), total };
  }
  const endsAfter = sizeOfWholePages(start, Math.max(1, kept.length));
  return { ...(await readablePatients(database, keys, rows.slice(0, endsAfter))), total, endsAfter };
}
