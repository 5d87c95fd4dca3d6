import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { MpiError } from "../errors/index.ts";
import { understood } from "../search/index.ts";
import type { PatientIndex } from "./patient-index.ts";
import type { FoundInStore, PatientStore, StoredPatient } from "./ports.ts";
import { type PatientSearch, parsePatientCondition } from "./search/parameters.ts";
import { type FoundPatients, pageOf, searchAndTake } from "./search-patients.ts";

/**
 * Finds the patients that a condition means: the total is how many, and two are shown at most. An identifier finds the
 * whole linked group of its holder, which are records of one person: of them one is meant.
 */
export async function patientsMeant(
  index: PatientIndex,
  parameters: readonly SearchParameter[],
): Promise<FoundPatients> {
  const search = understood(parsePatientCondition(parameters, index.searchLimits));
  const { found, notes } = await searchAndTake(index, search);
  const meant = found.total > 1 && search.criteria.identifiers ? await meantOf(index, search, found) : found;
  const page = pageOf(search, meant, notes);
  // It fits, and cannot be read: whoever took it for absent would store it a second time.
  if (meant.total === 1 && meant.unreadable.length > 0) throw new MpiError("INDEX_DECRYPTION_FAILED");
  return page;
}

/** How often a condition is looked at anew while links change: no request is as unlucky as that. */
const LOOKS = 10;

/**
 * What several that fit mean. They and their group are looked for one after the other, and somebody may be linked or
 * released in between: so it is decided on what is found again behind the decision.
 */
async function meantOf(
  index: PatientIndex,
  search: PatientSearch,
  found: FoundInStore,
): Promise<FoundInStore> {
  let before = found;
  for (let look = 1; ; look++) {
    const one = await oneOfGroup(index.store, search, before);
    const { found: after } = await searchAndTake(index, search);
    if (isSame(before, after) || look === LOOKS) {
      return one ? { patients: [one], unreadable: [], total: 1 } : after;
    }
    before = after;
  }
}

/** Whoever is linked or released has new versions in the group, and the latest versions stand first. */
function isSame(before: FoundInStore, after: FoundInStore): boolean {
  return before.total === after.total && versionsOf(before) === versionsOf(after);
}

function versionsOf({ patients }: FoundInStore): string {
  return patients.map(({ patient: { id, etag } }) => `${id} ${etag}`).join();
}

/** Where all that fit are of one linked group: the one that holds the identifier itself, else the primary if it fits. */
async function oneOfGroup(
  store: PatientStore,
  search: PatientSearch,
  found: FoundInStore,
): Promise<StoredPatient | undefined> {
  const { identifiers } = search.criteria;
  if (found.total < 2 || identifiers === undefined) return undefined;
  const fitting = await fittingOfGroup(store, search, found);
  const holders = new Set(await store.holders(identifiers.flat()));
  const [holder, another] = fitting.filter(({ patient }) => holders.has(BigInt(patient.id ?? "")));
  if (holder && !another) return holder;
  return fitting.find(({ group }) => group?.role === "primary");
}

/** All that fit, when they are of one linked group; else nobody. */
async function fittingOfGroup(
  store: PatientStore,
  { criteria, page }: PatientSearch,
  { patients: [first], total }: FoundInStore,
): Promise<readonly StoredPatient[]> {
  const group = first ? await store.group(BigInt(first.patient.id ?? "")) : [];
  if (group.length < total) return [];
  const ids = criteria.ids ? group.filter((id) => criteria.ids?.includes(id)) : group;
  const ofGroup = await store.search(
    { ...criteria, ids },
    { sort: page.sort, page: 1, size: ids.length, maximum: page.maximum },
  );
  if (ofGroup === "too-many" || ofGroup.total < total) return [];
  if (ofGroup.unreadable.length > 0) throw new MpiError("INDEX_DECRYPTION_FAILED");
  return ofGroup.patients;
}
