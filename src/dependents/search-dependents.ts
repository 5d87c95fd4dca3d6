import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { type Fault, MpiError } from "../errors/index.ts";
import { writeMessage } from "../messages/index.ts";
import {
  fitting,
  type PlaceOfPage,
  placeOfPage,
  sizeOfWholePages,
  withElements,
} from "../resources/index.ts";
import { ignoredNotes, understood, unreadableNotes } from "../search/index.ts";
import type { DependentIndex } from "./dependent-index.ts";
import type { Dependent, DependentsOnPage } from "./ports.ts";
import { type DependentSearch, parseDependentCondition, parseDependentSearch } from "./search/parameters.ts";
import { searchedPatients } from "./search/patients.ts";

export interface FoundDependents<Resource> extends PlaceOfPage {
  readonly resources: Resource[];
  /** What the searcher should know: parameters that were ignored, dependents that cannot be read. */
  readonly notes: Fault[];
}

/**
 * Finds the dependents of a patient; those that are deleted are not found. One that does not open counts, whatever else
 * is asked for, since nobody can tell whether it fits; its page has a note of it.
 */
export async function searchDependents<Resource extends Dependent>(
  index: DependentIndex<Resource>,
  parameters: readonly SearchParameter[],
  lenient: boolean,
): Promise<FoundDependents<Resource>> {
  return await find(index, understood(parseDependentSearch(index.kind, parameters, lenient)));
}

/** Finds the dependents that a condition means: the total is how many, and two are shown at most. */
export async function dependentsMeant<Resource extends Dependent>(
  index: DependentIndex<Resource>,
  parameters: readonly SearchParameter[],
): Promise<FoundDependents<Resource>> {
  const meant = await find(index, understood(parseDependentCondition(index.kind, parameters)));
  // It may fit, and cannot be read: whoever took it for absent would store it a second time.
  if (meant.total === 1 && meant.resources.length === 0) throw new MpiError("INDEX_DECRYPTION_FAILED");
  return meant;
}

async function find<Resource extends Dependent>(
  index: DependentIndex<Resource>,
  search: DependentSearch<Resource>,
): Promise<FoundDependents<Resource>> {
  const { kind, patients, searchMaximum } = index;
  const { page, size, elements } = search.result;
  const { found, total } = await findOnPage(index, search, await searchedPatients(patients, search.patients));
  if (total > searchMaximum) throw new MpiError("TOO_MANY_RESULTS");
  const wanted = found.map(({ resource, unreadable }) => ({
    resource: withElements(kind.schema, resource, elements),
    unreadable,
  }));
  const fit = fitting(wanted, ({ resource }) => writeMessage(kind.schema, resource).length).length;
  const offset = (page - 1) * size;
  const isWhole = fit === wanted.length && fit >= Math.min(size, total - offset);
  const endsAfter = isWhole || fit === 0 ? undefined : sizeOfWholePages(offset, fit);
  const onPage = wanted.slice(0, endsAfter);
  const broken = onPage.flatMap(({ resource: { id }, unreadable }) => (unreadable && id ? [id] : []));
  return {
    resources: onPage.filter(({ unreadable }) => !unreadable).map(({ resource }) => resource),
    ...placeOfPage({ page, size }, { total, endsAfter }),
    notes: [...ignoredNotes(search.ignored), ...unreadableNotes(kind.type, broken)],
  };
}

/** What resources say is known when they are opened: so only a search that asks for nothing of it opens no more than it shows. */
async function findOnPage<Resource extends Dependent>(
  { store }: DependentIndex<Resource>,
  { conditions, result }: DependentSearch<Resource>,
  patientIds: readonly bigint[],
): Promise<DependentsOnPage<Resource>> {
  const [{ descending } = { descending: true }] = result.sort;
  const page = { descending, offset: (result.page - 1) * result.size, size: result.size };
  if (conditions.length === 0) return await store.pageOfPatients(patientIds, page);
  return await store.pageOfFitting(
    patientIds,
    page,
    ({ resource, unreadable }) => unreadable !== undefined || conditions.every((fits) => fits(resource)),
  );
}
