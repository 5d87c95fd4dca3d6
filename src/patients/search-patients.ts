import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { SearchParameter } from "#proto/patientindex/v1/patient_service_pb.ts";
import { type Fault, fault, MpiError } from "../errors/index.ts";
import { elementPaths, withElements } from "./elements.ts";
import type { PatientIndex } from "./patient-index.ts";
import { refuseIfAny } from "./refuse.ts";
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
  const paths = elementPaths(search.elements);
  const found = await index.store.search(search.criteria, search.page);
  if (found === "too-many") throw new MpiError("TOO_MANY_RESULTS");
  const { page, size } = search.page;
  return {
    patients: found.patients.map((patient) => withElements(showPatient(patient), paths)),
    total: found.total,
    page,
    pageSize: size,
    hasMore: page * size < found.total && size > 0,
    notes: search.ignored.map((name) =>
      fault("SEARCH_PARAMETERS_UNSUITABLE", {}, { expression: [`http.${name}`], severity: "warning" }),
    ),
  };
}

function understand(
  index: PatientIndex,
  parameters: readonly SearchParameter[],
  lenient: boolean,
): PatientSearch {
  const search = parsePatientSearch(parameters, index.searchLimits, lenient);
  if (!("criteria" in search)) {
    refuseIfAny(search);
    throw new Error("A search was refused without a fault.");
  }
  return search;
}
