import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { ObservationService } from "#proto/patientindex/v1/observation_service_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import { RelatedPersonService } from "#proto/patientindex/v1/related_person_service_pb.ts";
import { decodeResource } from "../../gateway/fhir/index.ts";
import type { GrpcRequest, Json } from "./scenario.ts";

/** A parameter of a search. */
export type Parameter = readonly [name: string, value: string];

/** How the core is asked about resources of a type. */
export interface ResourceCalls {
  read(id: string, elements: string[]): GrpcRequest;
  readVersion(id: string, versionId: string): GrpcRequest;
  create(body: Json): GrpcRequest;
  update(id: string, body: Json, etag: string): GrpcRequest;
  /** Only of types that can be deleted. */
  remove?(id: string, etag: string): GrpcRequest;
  history(id: string, pageToken: string): GrpcRequest;
  search(parameters: readonly Parameter[]): GrpcRequest;
}

const { method: patients } = PatientService;
const { method: relatedPersons } = RelatedPersonService;
const { method: observations } = ObservationService;

export function changesOfPatients(pageToken: string): GrpcRequest {
  return calls(patients.listPatientChanges, { pageToken });
}

const resourceCalls: Readonly<Record<string, ResourceCalls>> = {
  Patient: {
    read: (id, elements) => calls(patients.readPatient, { id, elements }),
    readVersion: (id, versionId) => calls(patients.readPatientVersion, { id, versionId }),
    create: (body) => calls(patients.createPatient, { patient: messageOf(PatientSchema, body) }),
    update(id, body, etag) {
      const patient = { ...messageOf(PatientSchema, body), etag };
      return calls(patients.updatePatient, { id, patient });
    },
    history: (id, pageToken) => calls(patients.listPatientHistory, { id, pageToken }),
    search: (parameters) => calls(patients.searchPatients, { parameters: parameters.map(named) }),
  },
  RelatedPerson: {
    read: (id, elements) => calls(relatedPersons.readRelatedPerson, { id, elements }),
    readVersion: (id, versionId) => calls(relatedPersons.readRelatedPersonVersion, { id, versionId }),
    create(body) {
      const relatedPerson = messageOf(RelatedPersonSchema, body);
      return calls(relatedPersons.createRelatedPerson, { relatedPerson });
    },
    update(id, body, etag) {
      const relatedPerson = { ...messageOf(RelatedPersonSchema, body), etag };
      return calls(relatedPersons.updateRelatedPerson, { id, relatedPerson });
    },
    remove: (id, etag) => calls(relatedPersons.deleteRelatedPerson, { id, etag }),
    history: (id, pageToken) => calls(relatedPersons.listRelatedPersonHistory, { id, pageToken }),
    search: (parameters) => calls(relatedPersons.searchRelatedPersons, { parameters: parameters.map(named) }),
  },
  Observation: {
    read: (id, elements) => calls(observations.readObservation, { id, elements }),
    readVersion: (id, versionId) => calls(observations.readObservationVersion, { id, versionId }),
    create: (body) =>
      calls(observations.createObservation, { observation: messageOf(ObservationSchema, body) }),
    update(id, body, etag) {
      const observation = { ...messageOf(ObservationSchema, body), etag };
      return calls(observations.updateObservation, { id, observation });
    },
    remove: (id, etag) => calls(observations.deleteObservation, { id, etag }),
    history: (id, pageToken) => calls(observations.listObservationHistory, { id, pageToken }),
    search: (parameters) => calls(observations.searchObservations, { parameters: parameters.map(named) }),
  },
};

/** The calls about a type of resource. */
export function callsOf(type: string): ResourceCalls {
  const found = resourceCalls[type];
  if (found === undefined) throw new Error(`The core does not store ${type}.`);
  return found;
}

/** A call of a method of a service. */
export function calls<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  message: MessageInitShape<I>,
  options: Omit<GrpcRequest, "send"> = {},
): GrpcRequest {
  return {
    ...options,
    send: (transport, metadata) => transport.unary(method, undefined, undefined, { ...metadata }, message),
  };
}

/** The message of a resource whose structure is good: what is wrong with it must be for the core to say. */
export function messageOf<Desc extends DescMessage>(schema: Desc, body: Json): MessageShape<Desc> {
  const { message, faults } = decodeResource(schema, body);
  if (message === undefined) throw new Error(`The gateway would refuse this body: ${JSON.stringify(faults)}`);
  return message;
}

function named([name, value]: Parameter) {
  return { name, value };
}
