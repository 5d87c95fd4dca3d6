import { GrpcStatus } from "../../../src/errors/index.ts";
import { feedToken } from "../../../src/resources/index.ts";
import { holdersOfOneNumber, PID, PROFILES, someone, verified } from "../people.ts";
import { listsChanges, listsHistory, posts, reads, readsVersion, updates } from "../requests.ts";
import type { Scenario } from "../scenario.ts";

/** Patients and their versions: there or not, changed in the meantime, by another name. */
export const versionScenarios: readonly Scenario[] = [
  {
    meaning: "PATIENT_RESOURCE_NOT_FOUND",
    code: "MPI-072",
    issueType: "not-found",
    prepare: () => reads("Patient/999999999"),
  },
  {
    meaning: "PATIENT_RESOURCE_NOT_FOUND",
    code: "MPI-072",
    issueType: "not-found",
    prepare: () => updates("999999999", verified()),
  },
  {
    meaning: "PATIENT_RESOURCE_NOT_FOUND",
    code: "MPI-072",
    issueType: "not-found",
    prepare: () => listsHistory("Patient/somebody"),
  },
  {
    meaning: "HISTORY_ENTRY_NOT_FOUND",
    code: "MPI-079",
    issueType: "not-found",
    prepare: async (index) => readsVersion(await someone(index), "2"),
  },
  {
    meaning: "ID_DIFFERS",
    code: "MPI-096",
    issueType: "value",
    expression: "Patient.id",
    async prepare(index) {
      const stored = await index.store(verified());
      return updates(stored.id, { ...stored, id: "999999999" });
    },
  },
  {
    meaning: "VERSION_CONFLICT",
    code: "MPI-400",
    issueType: "conflict",
    status: { http: 412, grpc: GrpcStatus.ABORTED },
    async prepare(index) {
      const stored = await index.store(verified());
      return updates(stored.id, stored, 'W/"7"');
    },
  },
  {
    meaning: "CONDITION_NOT_SELECTIVE",
    only: "http",
    code: "MPI-400",
    issueType: "multiple-matches",
    status: { http: 412 },
    async prepare(index) {
      const value = await holdersOfOneNumber(index);
      const request = posts(verified());
      return {
        http: { ...request, headers: { ...request.headers, "if-none-exist": `identifier=${PID}|${value}` } },
      };
    },
  },
  {
    meaning: "RESOURCE_SUBSETTED",
    code: "MPI-096",
    issueType: "business-rule",
    expression: "Patient.meta.tag",
    async prepare(index) {
      const stored = await index.store(verified());
      const tag = [
        { system: "http://terminology.hl7.org/CodeSystem/v3-ObservationValue", code: "SUBSETTED" },
      ];
      const meta = { profile: [`${PROFILES}ee-mpi-patient-verified`], tag };
      return updates(stored.id, { ...stored, meta });
    },
  },
  ...(["http", "grpc"] as const).map(
    (way): Scenario => ({
      meaning: "PARAMETER_MALFORMED",
      only: way,
      code: "MPI-096",
      issueType: "value",
      expression: way === "http" ? "http._page" : "page_token",
      prepare: async (index) => listsHistory(await someone(index), "yesterday"),
    }),
  ),
  ...(["http", "grpc"] as const).map(
    (way): Scenario => ({
      meaning: "FEED_PLACE_GONE",
      only: way,
      code: "MPI-096",
      issueType: "value",
      expression: way === "http" ? "http._page" : "page_token",
      // What stands there was not published in 1970.
      prepare: async () =>
        listsChanges(feedToken("Patient/_history", { position: 1n, publishedAt: new Date(0) })),
    }),
  ),
];
