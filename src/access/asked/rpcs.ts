import type { DescMethod, DescService, Message } from "@bufbuild/protobuf";
import { AuditService } from "#proto/patientindex/v1/audit_service_pb.ts";
import { CallBatchService } from "#proto/patientindex/v1/call_batch_service_pb.ts";
import { DuplicateReviewService } from "#proto/patientindex/v1/duplicate_review_service_pb.ts";
import { JobService } from "#proto/patientindex/v1/job_service_pb.ts";
import {
  LinkageService,
  type LinkPatientsRequest,
  type UnlinkPatientsRequest,
} from "#proto/patientindex/v1/linkage_service_pb.ts";
import { MatchingService } from "#proto/patientindex/v1/matching_service_pb.ts";
import { ObservationService } from "#proto/patientindex/v1/observation_service_pb.ts";
import { PatientLoadService } from "#proto/patientindex/v1/patient_load_service_pb.ts";
import { PatientLookupService } from "#proto/patientindex/v1/patient_lookup_service_pb.ts";
import { PatientService, type SearchPatientsRequest } from "#proto/patientindex/v1/patient_service_pb.ts";
import { ReadinessService } from "#proto/patientindex/v1/readiness_service_pb.ts";
import { RelatedPersonService } from "#proto/patientindex/v1/related_person_service_pb.ts";
import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { SocialHistoryService } from "#proto/patientindex/v1/social_history_service_pb.ts";
import {
  type ProcessTransactionRequest,
  type TransactionEntry,
  TransactionService,
} from "#proto/patientindex/v1/transaction_service_pb.ts";
import { mostEntries, patientCriteria, resolvedBeforehand } from "../../transactions/index.ts";
import { type Asked, type Rpc, rpc, rpcOf } from "./rpc.ts";
import {
  patientOfDependent,
  patientOfId,
  patientOfReference,
  patientsOfLookup,
  patientsOfObservation,
  patientsOfOperation,
  patientsOfPatientSearch,
  patientsOfSearch,
  patientsOfSelector,
  type Subject,
} from "./subjects.ts";
import { lookBefore, observationWrites, patientWrites, relatedPersonWrites } from "./writes.ts";

const patients = PatientService.method;
const relatedPersons = RelatedPersonService.method;
const observations = ObservationService.method;
const linkage = LinkageService.method;
const matching = MatchingService.method;
const duplicates = DuplicateReviewService.method;
const history = SocialHistoryService.method;
const jobs = JobService.method;

/**
 * What each RPC asks for. A service with an RPC that is missing here does not start. A version of the past is
 * history, as in the paths of FHIR; so is a group as of a time.
 */
export const rpcs: readonly Rpc[] = [
  rpcOf(patients.readPatient, ({ id, write }) =>
    lookBefore("read Patient", patientWrites[write], () => patientOfId(id)),
  ),
  rpc(patients.readPatientVersion, "history of one Patient", ({ id }) => patientOfId(id)),
  rpc(patients.createPatient, "create Patient"),
  rpc(patients.createPatients, "create Patient"),
  rpc(patients.updatePatient, "update Patient", ({ id }) => patientOfId(id)),
  rpc(patients.listPatientHistory, "history of one Patient", ({ id }) => patientOfId(id)),
  rpc(patients.listPatientChanges, "Patient/_history"),
  rpcOf(patients.searchPatients, patientSearch),

  rpcOf(TransactionService.method.processTransaction, askedByEntries),
  rpcOf(TransactionService.method.validateEntry, ({ entry }) => (entry ? askedByEntry(entry) : [])),

  rpc(AuditService.method.searchAuditEvents, "AuditEvent of a patient", searchedFor),

  rpc(PatientLoadService.method.loadPatients, "create Patient"),
  rpc(PatientLookupService.method.lookupPatients, "$lookup", ({ parameters }) =>
    patientsOfLookup(parameters),
  ),

  rpcOf(relatedPersons.readRelatedPerson, ({ id, write }) =>
    lookBefore("read RelatedPerson", relatedPersonWrites[write], () => patientOfDependent(id)),
  ),
  rpc(relatedPersons.readRelatedPersonVersion, "history of one RelatedPerson", ({ id }) =>
    patientOfDependent(id),
  ),
  rpc(relatedPersons.createRelatedPerson, "create RelatedPerson", ({ relatedPerson }) =>
    patientOfReference(relatedPerson?.patient),
  ),
  rpc(relatedPersons.updateRelatedPerson, "update RelatedPerson", ({ id, relatedPerson }) => [
    ...patientOfDependent(id),
    ...patientOfReference(relatedPerson?.patient),
  ]),
  rpc(relatedPersons.deleteRelatedPerson, "delete RelatedPerson", ({ id }) => patientOfDependent(id)),
  rpc(relatedPersons.listRelatedPersonHistory, "history of one RelatedPerson", ({ id }) =>
    patientOfDependent(id),
  ),
  rpc(relatedPersons.listRelatedPersonChanges, "RelatedPerson/_history"),
  rpcOf(relatedPersons.searchRelatedPersons, (request) =>
    lookBefore("search RelatedPerson", relatedPersonWrites[request.write], () => searchedFor(request)),
  ),

  rpcOf(observations.readObservation, ({ id, write }) =>
    lookBefore("read Observation", observationWrites[write], () => patientOfDependent(id)),
  ),
  rpc(observations.readObservationVersion, "history of one Observation", ({ id }) => patientOfDependent(id)),
  rpc(observations.createObservation, "create Observation", ({ observation }) =>
    patientsOfObservation(observation),
  ),
  rpc(observations.updateObservation, "update Observation", ({ id, observation }) => [
    ...patientOfDependent(id),
    ...patientsOfObservation(observation),
  ]),
  rpc(observations.deleteObservation, "delete Observation", ({ id }) => patientOfDependent(id)),
  rpc(observations.listObservationHistory, "history of one Observation", ({ id }) => patientOfDependent(id)),
  rpcOf(observations.searchObservations, (request) =>
    lookBefore("search Observation", observationWrites[request.write], () => searchedFor(request)),
  ),

  rpc(linkage.linkPatients, "$link", selectedPatients),
  rpc(linkage.unlinkPatients, "$unlink", selectedPatients),
  rpcOf(linkage.readLinkGroup, ({ patientId, asOf }) => [
    {
      interaction: asOf === undefined ? "read Patient" : "history of one Patient",
      subjects: () => patientOfId(patientId),
    },
  ]),

  rpc(matching.matchPatients, "$match"),
  rpc(matching.findForeignPatients, "$foreign"),
  rpc(matching.generateRecordNumber, "$mrn"),
  rpc(duplicates.listPossibleDuplicates, "review of possible duplicates"),
  rpc(duplicates.dismissPossibleDuplicate, "review of possible duplicates", ({ patientId, otherId }) =>
    [patientId, otherId].flatMap(patientOfId),
  ),
  rpc(duplicates.confirmPossibleDuplicate, "review of possible duplicates", ({ sourceId, targetId }) =>
    [sourceId, targetId].flatMap(patientOfId),
  ),

  rpc(history.listLegalStatuses, "$legal-status", operatedOn),
  rpc(history.listLegalGuardians, "$legal-guardian", operatedOn),
  rpc(history.listLegalRelationships, "$legal-relationship", operatedOn),
  rpc(history.listPowersOfAttorney, "$power-of-attorney", operatedOn),
  rpc(history.listEducations, "$education", operatedOn),
  rpc(history.listPatientDisabilities, "$disability", operatedOn),
  rpc(history.listWorkIncapacities, "$incapacity-for-work", operatedOn),
  rpc(history.listOccupations, "$occupation", operatedOn),
  rpc(history.readPatientName, "$name", operatedOn),

  rpc(jobs.startJob, "jobs"),
  rpc(jobs.getJob, "jobs"),
  rpc(jobs.listJobs, "jobs"),
  rpc(jobs.watchJob, "jobs"),
  rpc(jobs.cancelJob, "jobs"),
];

/** Methods that are open to everybody, whoever calls. Each call in a batch is held to the matrix as if it came alone. */
export const openMethods: readonly DescMethod[] = [
  ReadinessService.method.checkReadiness,
  CallBatchService.method.makeCalls,
];

/** Services whose methods ask registers about somebody: the reason is passed to these, and shown to the patient. */
export const reasonedServices: readonly DescService[] = [SocialHistoryService];

function selectedPatients(request: LinkPatientsRequest | UnlinkPatientsRequest): Subject[] {
  return [request.source, request.target].flatMap((selector) => patientsOfSelector(selector));
}

interface Parameterized {
  readonly parameters: readonly SearchParameter[];
}

function searchedFor({ parameters }: Parameterized): Subject[] {
  return patientsOfSearch(parameters);
}

function operatedOn({ parameters }: Parameterized): Subject[] {
  return patientsOfOperation(parameters);
}

/** A search by the day of birth needs the right to it beside that to search. */
function patientSearch({ parameters, write }: SearchPatientsRequest): Asked[] {
  const subjects = () => patientsOfPatientSearch(parameters);
  const search = lookBefore("search Patient", patientWrites[write], subjects);
  const isByBirthDate = parameters.some(({ name }) => /^birthdate(?:$|[:.])/.test(name));
  return isByBirthDate ? [...search, { interaction: "search Patient by birthdate", subjects }] : search;
}

/**
 * A reference to another entry is one to the patient whom that names, whoever has the id that the text of it holds. A
 * transaction of more entries than there may be is refused for that, and no more of them are looked at.
 */
function askedByEntries({ entries: given, bases }: ProcessTransactionRequest): readonly Asked[] {
  const entries = given.slice(0, mostEntries);
  const resolved = resolvedBeforehand({ entries, bases });
  return entries.flatMap((entry, place) =>
    askedByEntry(entry, () => resolved(place)).map((asked) => ({ ...asked, place })),
  );
}

/**
 * An entry asks for what its request asks for alone, for a search by its criteria, and for one by those of a reference to
 * the patient with whom its resource is to lie. What is named by criteria only lies with the patients that they name; what
 * they find is held to the caller's reach once it is known.
 */
function askedByEntry(
  { request, criteria, literalReferences }: TransactionEntry,
  resolved: () => Message | undefined = () => request.value,
): readonly Asked[] {
  if (request.case === undefined) return [];
  const { case: method, value } = request;
  const alone = askedAlone(method, value).map(({ interaction }, at) => ({
    interaction,
    subjects: () => askedAlone(method, resolved())[at]?.subjects() ?? [],
  }));
  const ofPatient = literalReferences ? [] : askedByReference(value);
  if (criteria.length === 0) return ofPatient.length === 0 ? alone : [...alone, ...ofPatient];
  const type = method.replace(/^(?:create|update|delete|read|search|list)|(?:s|Version|History)$/g, "");
  const search = askedAlone(`search${type}s`, { parameters: criteria });
  const isNamed = !("id" in value) || value.id !== "";
  const named = () => search.flatMap(({ subjects }) => subjects());
  return [...(isNamed ? alone : alone.map((one) => ({ ...one, subjects: named }))), ...search, ...ofPatient];
}

/** The search for the patient with whom a resource is to lie, where the reference to it is conditional. */
function askedByReference(request: NonNullable<TransactionEntry["request"]["value"]>): readonly Asked[] {
  const patient = "relatedPerson" in request ? request.relatedPerson?.patient : undefined;
  const subject = "observation" in request ? request.observation?.subject : undefined;
  const parameters = patientCriteria((patient ?? subject)?.reference ?? "");
  return parameters === undefined ? [] : askedAlone("searchPatients", { parameters });
}

function askedAlone(method: string, request: unknown): readonly Asked[] {
  const found = rpcs.find(([{ localName }]) => localName === method);
  if (!found) throw new TypeError(`${method} cannot be an entry of a transaction`);
  const [, asked] = found;
  return asked(request as never);
}
