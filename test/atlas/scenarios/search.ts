import { holdersOfOneNumber, PID, someone } from "../people.ts";
import { reads, searches } from "../requests.ts";
import type { Scenario } from "../scenario.ts";

/** Searches, and which elements an answer is to have. */
export const searchScenarios: readonly Scenario[] = [
  {
    meaning: "SEARCH_PARAMETERS_UNSUITABLE",
    code: "MPI-015",
    issueType: "invalid",
    prepare: () => searches("Patient"),
  },
  {
    meaning: "SEARCH_PARAMETERS_UNSUITABLE",
    code: "MPI-015",
    issueType: "invalid",
    expression: "http.favourite-colour",
    prepare: () => searches("Patient", ["_id", "1"], ["favourite-colour", "red"]),
  },
  {
    meaning: "SEARCH_PARAMETERS_UNSUITABLE",
    code: "MPI-015",
    issueType: "invalid",
    expression: "http.identifier",
    prepare: () => searches("Patient", ["identifier", "010190-123A"]),
  },
  {
    meaning: "SEARCH_PARAMETERS_UNSUITABLE",
    code: "MPI-015",
    issueType: "invalid",
    expression: "http._elements",
    prepare: async (index) => reads(await someone(index), ["name.nickname"]),
  },
  {
    meaning: "TOO_MANY_RESULTS",
    code: "MPI-027",
    issueType: "too-costly",
    async prepare(index) {
      const types = ["fin/ni", "swe/ni", "nor/ni", "pol/ni", "isl/ni", "lva/ni"];
      const value = await holdersOfOneNumber(index, types);
      return searches("Patient", ["identifier", `${PID}|${value}`]);
    },
  },
  {
    meaning: "SORT_NOT_ALLOWED",
    code: "MPI-037",
    issueType: "value",
    expression: "http._sort",
    prepare: () => searches("Patient", ["_id", "1"], ["_sort", "-name"]),
  },
  {
    meaning: "PARAMETER_SINGLE_VALUED",
    code: "MPI-075",
    issueType: "value",
    expression: "http.active",
    prepare: () => searches("Patient", ["_id", "1"], ["active", "true,false"]),
  },
  {
    meaning: "PARAMETER_REPEATED",
    code: "MPI-080",
    issueType: "value",
    expression: "http._id",
    prepare: () => searches("Patient", ["_id", "1"], ["_id", "2"]),
  },
  {
    meaning: "BIRTHDATE_FORMAT_WRONG",
    code: "MPI-076",
    issueType: "value",
    expression: "http.birthdate",
    prepare: () => searches("Patient", ["birthdate", "ge5.3.1967"]),
  },
  {
    meaning: "PATIENT_IDENTIFIER_LIMIT_EXCEEDED",
    code: "MPI-095",
    issueType: "too-costly",
    expression: "http.patient-identifier",
    prepare: () =>
      searches("Patient", ["patient-identifier", `${PID}|1,${PID}|2`], ["patient-identifier", `${PID}|3`]),
  },
];
