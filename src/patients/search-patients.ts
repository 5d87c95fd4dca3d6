import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { type Fault, MpiError, refuseFor } from "../errors/index.ts";
import { elementPaths, withElements } from "../resources/index.ts";
import { ignoredNotes } from "../search/index.ts";
import type { PatientIndex } from "./patient-index.ts";
import { showPatient } from "./rules/index.ts";
import { type PatientSearch, parsePatientSearch } from "./search/parameters.ts";

export interface FoundPatients {
  readonly patients: Patient[];
  readonly total: number;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly hasMore: boolean;
  /** What the searcher should know: parameters that were ignored. */
  readonly notes: Fault[];
}

/** Finds patients (spec http-api.md, "Search parameters of Patient"). */
export async function searchPatients(
  index: PatientIndex,
  parameters: readonly SearchParameter[],
  lenient: boolean,
): Promise<FoundPatients> {
  const search = understand(index, parameters, lenient);
  const paths = elementPaths(PatientSchema, search.elements);
  const found = await index.store.search(search.criteria, search.page);
  if (found === "too-many") throw new MpiError("TOO_MANY_RESULTS");
  const { page, size } = search.page;
  return {
    patients: found.patients.map((patient) => withElements(PatientSchema, showPatient(patient), paths)),
    total: found.total,
    page,
    pageSize: size,
    hasMore: page * size < found.total && size > 0,
    notes: ignoredNotes(search.ignored),
  };
}

function understand(
  index: PatientIndex,
  parameters: readonly SearchParameter[],
  lenient: boolean,
): PatientSearch {
  const search = parsePatientSearch(parameters, index.searchLimits, lenient);
  if (!("criteria" in search)) {
    refuseFor(search);
    throw new Error("A search was refused without a fault.");
  }
  return search;
}
