import { timestampNow } from "@bufbuild/protobuf/wkt";
import { AuditService } from "#proto/patientindex/v1/audit_service_pb.ts";
import { LinkageService } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { SocialHistoryService } from "#proto/patientindex/v1/social_history_service_pb.ts";
import { calls, type Parameter } from "../atlas/grpc-calls.ts";
import { creates, listsHistory, reads, readsVersion, removes, searches, updates } from "../atlas/requests.ts";
import type { Exchange, Json } from "../atlas/scenario.ts";
import { generalProbes } from "./general-probes.ts";
import { CONFLICT, DONE, type PatientRecord, type Probe, REFUSED } from "./probe.ts";

const OTHER_VERSION = 'W/"99"';
const REASON = { "x-road-issue": "visit" };
const PERSONAL_CODE = "https://fhir.ee/sid/pid/est/ni|";

const statusCode = { coding: [{ system: "http://snomed.info/sct", code: "125680007" }] };

function contactOf({ id }: PatientRecord): Json {
  return { resourceType: "RelatedPerson", patient: { reference: `Patient/${id}` } };
}

function observationOf({ id }: PatientRecord): Json {
  const subject = { reference: `Patient/${id}` };
  return { resourceType: "Observation", status: "final", code: statusCode, subject };
}

/** What is asked of a record that is stored, whatever its type. */
function storedProbes(type: string, idOf: (about: PatientRecord) => string): Probe[] {
  const reference = (about: PatientRecord) => `${type}/${idOf(about)}`;
  return [
    { interaction: `read ${type}`, asks: (about) => reads(reference(about)), allowed: DONE },
    {
      interaction: `history of one ${type}`,
      asks: (about) => readsVersion(reference(about), "1"),
      allowed: DONE,
    },
    { interaction: `history of one ${type}`, asks: (about) => listsHistory(reference(about)), allowed: DONE },
  ];
}

function dependentProbes(
  type: "RelatedPerson" | "Observation",
  idOf: (about: PatientRecord) => string,
  bodyOf: (about: PatientRecord) => Json,
): Probe[] {
  return [
    ...storedProbes(type, idOf),
    {
      interaction: `search ${type}`,
      asks: ({ id }) => searches(type, ["patient", `Patient/${id}`]),
      allowed: DONE,
    },
    {
      interaction: `search ${type}`,
      asks: ({ personalCode }) => searches(type, ["patient.identifier", PERSONAL_CODE + personalCode]),
      allowed: DONE,
    },
    { interaction: `create ${type}`, asks: (about) => creates(bodyOf(about)), allowed: REFUSED },
    {
      interaction: `update ${type}`,
      asks: (about) => updates(idOf(about), bodyOf(about), OTHER_VERSION),
      allowed: CONFLICT,
    },
    {
      interaction: `delete ${type}`,
      asks: (about) => removes(`${type}/${idOf(about)}`, OTHER_VERSION),
      allowed: CONFLICT,
    },
  ];
}

const { method: history } = SocialHistoryService;

const operations = {
  "legal-status": history.listLegalStatuses,
  "legal-guardian": history.listLegalGuardians,
  "legal-relationship": history.listLegalRelationships,
  "power-of-attorney": history.listPowersOfAttorney,
  education: history.listEducations,
  disability: history.listPatientDisabilities,
  "incapacity-for-work": history.listWorkIncapacities,
  occupation: history.listOccupations,
  name: history.readPatientName,
} as const;

function asksHistory(operation: keyof typeof operations, patient: Parameter): Exchange {
  const own: Parameter[] = operation === "legal-guardian" ? [["legal-status", "58626002"]] : [];
  const parameters = [patient, ...own];
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value]));
  const request = { parameters: parameters.map(([name, value]) => ({ name, value })) };
  // The methods have no common type; each has this request.
  const method = operations[operation] as unknown as typeof history.listEducations;
  return {
    http: { method: "GET", path: `/Patient/$${operation}?${query}`, headers: REASON },
    grpc: calls(method, request, { metadata: REASON }),
  };
}

const historyProbes: readonly Probe[] = (Object.keys(operations) as (keyof typeof operations)[]).flatMap(
  (operation) => [
    {
      interaction: `$${operation}`,
      asks: ({ id }) => asksHistory(operation, ["patient", `Patient/${id}`]),
      allowed: DONE,
    },
    {
      interaction: `$${operation}`,
      asks: ({ personalCode }) => asksHistory(operation, ["patient.identifier", personalCode]),
      allowed: DONE,
    },
  ],
);

const groupProbes: readonly Probe[] = [
  {
    interaction: "read Patient",
    asks: ({ id }) => ({ grpc: calls(LinkageService.method.readLinkGroup, { patientId: id }) }),
    allowed: DONE,
  },
  {
    interaction: "history of one Patient",
    asks: ({ id }) => ({
      grpc: calls(LinkageService.method.readLinkGroup, { patientId: id, asOf: timestampNow() }),
    }),
    allowed: DONE,
  },
];

function asksTrail([name, value]: Parameter): Exchange {
  return {
    http: { method: "GET", path: `/AuditEvent?${new URLSearchParams([[name, value]])}` },
    grpc: calls(AuditService.method.searchAuditEvents, { parameters: [{ name, value }] }),
  };
}

const trailProbes: readonly Probe[] = [
  {
    interaction: "AuditEvent of a patient",
    asks: ({ id }) => asksTrail(["patient", `Patient/${id}`]),
    allowed: DONE,
  },
  {
    interaction: "AuditEvent of a patient",
    asks: ({ personalCode }) => asksTrail(["patient.identifier", PERSONAL_CODE + personalCode]),
    allowed: DONE,
  },
];

/** Every interaction that is offered, by each way of naming a patient. */
export const probes: readonly Probe[] = [
  ...generalProbes,
  ...storedProbes("Patient", ({ id }) => id),
  {
    interaction: "update Patient",
    asks: ({ id }) => updates(id, { resourceType: "Patient" }, OTHER_VERSION),
    allowed: CONFLICT,
  },
  ...groupProbes,
  ...dependentProbes("RelatedPerson", ({ contactId }) => contactId, contactOf),
  ...dependentProbes("Observation", ({ observationId }) => observationId, observationOf),
  ...historyProbes,
  ...trailProbes,
];
