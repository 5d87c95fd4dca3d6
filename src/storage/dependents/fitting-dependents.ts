import type { DependentId } from "../../dependents/dependent-id.ts";
import type { Dependent, DependentPage, DependentsOnPage, FoundDependent } from "../../dependents/ports.ts";
import type { IndexKeys } from "../../identifier-index/index.ts";
import type { Database } from "../connection/database.ts";
import { slicesBehind } from "../sealing/stored-bytes.ts";
import type { DependentTable } from "./dependent-table.ts";
import { selectDependentsBehind, selectDependentVersions } from "./read-dependents.ts";
import { type DependentRow, foundDependentOf } from "./stored-dependent.ts";

/** Which version fits, and when it came. */
type Place = Pick<DependentRow, "patientId" | "n" | "version" | "updatedAt">;

/**
 * A page of the dependents of some patients that fit. What they say is known when they are opened: so all are read, but
 * no more than a page at once, and of each no more than its place is kept. Where one slice holds all of them its rows are
 * the page's; else the versions that fitted are read once more.
 */
export async function findFitting<Resource extends Dependent>(
  database: Database,
  keys: IndexKeys,
  table: DependentTable<Resource>,
  patientIds: readonly bigint[],
  page: DependentPage,
  fits: (found: FoundDependent<Resource>) => boolean,
): Promise<DependentsOnPage<Resource>> {
  const places: Place[] = [];
  /** All that there are, as long as one slice holds them. */
  let held: readonly DependentRow[] | undefined = [];
  const slicesOfAll = slicesBehind<DependentId, DependentRow>({ patientId: 0n, n: 0 }, (after) =>
    selectDependentsBehind(database, table, patientIds, after),
  );
  for await (const rows of slicesOfAll) {
    held = held?.length === 0 ? rows : undefined;
    for (const row of rows) if (fits(foundDependentOf(keys, table, row))) places.push(placeOf(row));
  }
  const sorted = places.toSorted(byLastChange(page.descending));
  const onPage = sorted.slice(page.offset, page.offset + page.size);
  const rows = held ? rowsAt(onPage, held) : await selectRowsAt(database, table, onPage);
  return { found: rows.map((row) => foundDependentOf(keys, table, row)), total: places.length };
}

function placeOf({ patientId, n, version, updatedAt }: DependentRow): Place {
  return { patientId, n, version, updatedAt };
}

/** By the instant of the last change; equal ones keep the order of their ids. */
function byLastChange(descending: boolean): (one: Place, other: Place) => number {
  const sign = descending ? -1 : 1;
  return (one, other) => sign * (one.updatedAt.getTime() - other.updatedAt.getTime());
}

function rowsAt(places: readonly Place[], rows: readonly DependentRow[]): DependentRow[] {
  return places.flatMap(
    ({ patientId, n }) => rows.find((row) => row.patientId === patientId && row.n === n) ?? [],
  );
}

/** From the history, for what was there may be another version by now. */
async function selectRowsAt<Resource extends Dependent>(
  database: Database,
  table: DependentTable<Resource>,
  places: readonly Place[],
): Promise<DependentRow[]> {
  const versions = places.map(({ patientId, n, version }) => ({ patientId, dependent: n, version }));
  return await selectDependentVersions(database, table, versions);
}
