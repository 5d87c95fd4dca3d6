import { DuplicateReviewService } from "#proto/patientindex/v1/duplicate_review_service_pb.ts";
import { JobService } from "#proto/patientindex/v1/job_service_pb.ts";
import { LinkageService } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { MatchingService } from "#proto/patientindex/v1/matching_service_pb.ts";
import { PatientLookupService } from "#proto/patientindex/v1/patient_lookup_service_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { RelatedPersonService } from "#proto/patientindex/v1/related_person_service_pb.ts";
import { GrpcStatus } from "../../src/errors/index.ts";
import { calls } from "../atlas/grpc-calls.ts";
import { creates, FHIR_JSON, searches } from "../atlas/requests.ts";
import type { Exchange } from "../atlas/scenario.ts";
import { DONE, type PatientRecord, type Probe, REFUSED } from "./probe.ts";

const someBody = { resourceType: "Patient", name: [{ family: "Virtanen", given: ["Aino"] }] };

/** $link and $unlink of a patient and itself. */
function asksLinkage(operation: "link" | "unlink", { id }: PatientRecord): Exchange {
  const { linkPatients, unlinkPatients } = LinkageService.method;
  const valueReference = { reference: `Patient/${id}` };
  const parameter = ["source-patient", "target-patient"].map((name) => ({ name, valueReference }));
  const pair = { source: { id }, target: { id } };
  return {
    http: {
      method: "POST",
      path: `/Patient/$${operation}`,
      headers: FHIR_JSON,
      body: { resourceType: "Parameters", parameter },
    },
    grpc: operation === "link" ? calls(linkPatients, pair) : calls(unlinkPatients, pair),
  };
}

const patientProbes: readonly Probe[] = [
  {
    interaction: "search Patient",
    asks: ({ id }) => searches("Patient", ["_id", id]),
    allowed: DONE,
    general: true,
  },
  {
    interaction: "search Patient by birthdate",
    asks: ({ id }) => searches("Patient", ["_id", id], ["birthdate", "ge1900-01-01"]),
    allowed: DONE,
    general: true,
  },
  {
    interaction: "$lookup",
    asks: ({ personalCode }) => ({
      http: { method: "GET", path: `/Patient/$lookup?identifier=${personalCode}` },
      grpc: calls(PatientLookupService.method.lookupPatients, {
        parameters: [{ name: "identifier", value: personalCode }],
      }),
    }),
    allowed: DONE,
    general: true,
  },
  {
    interaction: "create Patient",
    asks: () => creates({ resourceType: "Patient" }),
    allowed: REFUSED,
    general: true,
  },
  {
    interaction: "Patient/_history",
    asks: () => ({
      http: { method: "GET", path: "/Patient/_history?_count=1" },
      grpc: calls(PatientService.method.listPatientChanges, { pageSize: 1 }),
    }),
    allowed: DONE,
    general: true,
  },
  {
    interaction: "RelatedPerson/_history",
    asks: () => ({
      http: { method: "GET", path: "/RelatedPerson/_history?_count=1" },
      grpc: calls(RelatedPersonService.method.listRelatedPersonChanges, { pageSize: 1 }),
    }),
    allowed: DONE,
    general: true,
  },
  {
    interaction: "$link",
    asks: (about) => asksLinkage("link", about),
    allowed: REFUSED,
    general: true,
  },
  {
    interaction: "$unlink",
    asks: (about) => asksLinkage("unlink", about),
    allowed: { http: 422, grpc: GrpcStatus.FAILED_PRECONDITION },
    general: true,
  },
];

const { method: matching } = MatchingService;

const matchingProbes: readonly Probe[] = [
  {
    interaction: "$match",
    asks: () => ({
      http: {
        method: "POST",
        path: "/Patient/$match",
        headers: FHIR_JSON,
        body: { resourceType: "Parameters", parameter: [{ name: "resource", resource: someBody }] },
      },
      grpc: calls(matching.matchPatients, { resource: { name: someBody.name } }),
    }),
    allowed: DONE,
    general: true,
  },
  {
    interaction: "$foreign",
    asks: () => ({
      http: { method: "GET", path: "/Patient/$foreign?identifier-country=fin&family=Virtanen" },
      grpc: calls(matching.findForeignPatients, {
        parameters: [
          { name: "identifier-country", value: "fin" },
          { name: "family", value: "Virtanen" },
        ],
      }),
    }),
    allowed: DONE,
    general: true,
  },
  {
    interaction: "$mrn",
    asks: () => ({
      http: { method: "GET", path: "/Patient/$mrn" },
      grpc: calls(matching.generateRecordNumber, {}),
    }),
    allowed: DONE,
    general: true,
  },
];

const administrationProbes: readonly Probe[] = [
  {
    interaction: "review of possible duplicates",
    asks: () => ({ grpc: calls(DuplicateReviewService.method.listPossibleDuplicates, {}) }),
    allowed: DONE,
    general: true,
  },
  {
    interaction: "jobs",
    asks: () => ({ grpc: calls(JobService.method.listJobs, {}) }),
    allowed: DONE,
    general: true,
  },
];

/** Interactions that are about no single record. */
export const generalProbes: readonly Probe[] = [...patientProbes, ...matchingProbes, ...administrationProbes];
