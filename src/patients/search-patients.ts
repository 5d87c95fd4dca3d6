import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { isUnderUnitOfWork } from "../call/unit-of-work.ts";
import { type Fault, fault, MpiError } from "../errors/index.ts";
import { personalCodeToken } from "../identifiers/index.ts";
import { failingAs, isAbsentPerson } from "../registers/ports.ts";
import { type PlaceOfPage, placeOfPage, withElements } from "../resources/index.ts";
import { ignoredNotes, understood } from "../search/index.ts";
import type { PatientIndex } from "./patient-index.ts";
import type { FoundInStore } from "./ports.ts";
import { takeFromRegister } from "./register/take-from-register.ts";
import { type PatientSearch, parsePatientSearch } from "./search/parameters.ts";
import { showPatient } from "./show-patient.ts";
import { unreadablePatientNotes, unreadablePatients } from "./unreadable-patients.ts";

export interface FoundPatients extends PlaceOfPage {
  readonly patients: Patient[];
  /** What the searcher should know: parameters that were ignored, patients that cannot be read. */
  readonly notes: Fault[];
}

/** Finds patients (spec http-api.md, "Search parameters of Patient"). */
export async function searchPatients(
  index: PatientIndex,
  parameters: readonly SearchParameter[],
  lenient: boolean,
): Promise<FoundPatients> {
  const search = understood(parsePatientSearch(parameters, index.searchLimits, lenient));
  const { found, notes } = await searchAndTake(index, search);
  return pageOf(search, found, notes);
}

/** What is shown of what a search found. */
export function pageOf(search: PatientSearch, found: FoundInStore, notes: readonly Fault[]): FoundPatients {
  const { elements } = search;
  return {
    patients: found.patients.map((patient) => withElements(PatientSchema, showPatient(patient), elements)),
    ...placeOfPage(search.page, found),
    notes: [...ignoredNotes(search.ignored), ...notes, ...unreadablePatientNotes(unreadablePatients(found))],
  };
}

/**
 * Somebody whom the index does not know by an Estonian personal code is asked for in the population register, and
 * stored. That the register does not know them either is a note (MPI-089), not an error. Within a unit of work no register
 * is asked: rows would stay locked meanwhile.
 */
export async function searchAndTake(
  index: PatientIndex,
  search: PatientSearch,
): Promise<{ readonly found: FoundInStore; readonly notes: Fault[] }> {
  const { personalCode } = search;
  const found = await searchStore(index, search);
  if (personalCode === undefined || found.total > 0) return { found, notes: [] };
  if (isUnderUnitOfWork()) return { found, notes: [] };
  const holders = await index.store.holders([personalCodeToken(personalCode)]);
  // Somebody else may have stored the person since: then too it is to be looked at again.
  const isKnown =
    holders.length > 0 || (await failingAs(["RR_INTEGRATION_FAILED"], () => take(index, personalCode)));
  if (isKnown) return { found: await searchStore(index, search), notes: [] };
  return { found, notes: [fault("PERSON_ABSENT_FROM_RR", {}, { severity: "warning" })] };
}

async function searchStore(
  { store }: PatientIndex,
  { criteria, page }: PatientSearch,
): Promise<FoundInStore> {
  const found = await store.search(criteria, page);
  if (found === "too-many") throw new MpiError("TOO_MANY_RESULTS");
  return found;
}

/** Whether the register knows the person, who is in the index from then on. */
async function take({ intake }: PatientIndex, personalCode: string): Promise<boolean> {
  try {
    await takeFromRegister(intake, personalCode, false);
    return true;
  } catch (error) {
    if (isAbsentPerson(error)) return false;
    throw error;
  }
}
