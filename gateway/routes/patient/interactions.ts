import { historyParameterNames } from "../history-parameters.ts";
import type { Interaction } from "../interaction.ts";
import { patientChanges, patientHistory } from "./history.ts";
import { readPatient, readPatientVersion } from "./read.ts";
import { searchPatients } from "./search.ts";
import { createPatient, updatePatient } from "./write.ts";

/** What is offered of Patient (spec http-api.md, "Patient"). */
export const patientInteractions: readonly Interaction[] = [
  {
    code: "read",
    resourceType: "Patient",
    method: "GET",
    path: "/Patient/:id",
    parameters: ["_elements"],
    handle: readPatient,
  },
  {
    code: "vread",
    resourceType: "Patient",
    method: "GET",
    path: "/Patient/:id/_history/:version",
    parameters: [],
    handle: readPatientVersion,
  },
  {
    code: "update",
    resourceType: "Patient",
    method: "PUT",
    path: "/Patient/:id",
    body: "resource",
    parameters: [],
    handle: updatePatient,
  },
  {
    code: "create",
    resourceType: "Patient",
    method: "POST",
    path: "/Patient",
    body: "resource",
    parameters: [],
    handle: createPatient,
  },
  {
    code: "history-instance",
    resourceType: "Patient",
    method: "GET",
    path: "/Patient/:id/_history",
    parameters: historyParameterNames,
    handle: patientHistory,
  },
  {
    code: "history-type",
    resourceType: "Patient",
    method: "GET",
    path: "/Patient/_history",
    parameters: historyParameterNames,
    handle: patientChanges,
  },
  {
    code: "search-type",
    resourceType: "Patient",
    method: "GET",
    path: "/Patient",
    parameters: "core",
    handle: searchPatients,
  },
  {
    code: "search-type",
    resourceType: "Patient",
    method: "POST",
    path: "/Patient/_search",
    body: "form",
    parameters: "core",
    handle: searchPatients,
  },
];
