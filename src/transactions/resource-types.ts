import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Meta, Reference } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Observation, ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { type RelatedPerson, RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import type { MethodName, ResourceType } from "./entries.ts";

/** How the messages of the services of a type name what they hold. */
export interface ResourceTypeNames {
  readonly schema: DescMessage;
  readonly create: MethodName;
  readonly update: MethodName;
  readonly read: MethodName;
  readonly search: MethodName;
  /** Field of one resource in requests and responses. */
  readonly resource: string;
  /** Field of the resources in the response of a search. */
  readonly found: string;
  /** The patient that a resource lies with; undefined for a patient. */
  readonly patientOf: (resource: Message) => Reference | undefined;
}

export const resourceTypes: Readonly<Record<ResourceType, ResourceTypeNames>> = {
  Patient: {
    schema: PatientSchema,
    create: "createPatient",
    update: "updatePatient",
    read: "readPatient",
    search: "searchPatients",
    resource: "patient",
    found: "patients",
    patientOf: () => undefined,
  },
  RelatedPerson: {
    schema: RelatedPersonSchema,
    create: "createRelatedPerson",
    update: "updateRelatedPerson",
    read: "readRelatedPerson",
    search: "searchRelatedPersons",
    resource: "relatedPerson",
    found: "relatedPersons",
    patientOf: (resource) => (resource as RelatedPerson).patient,
  },
  Observation: {
    schema: ObservationSchema,
    create: "createObservation",
    update: "updateObservation",
    read: "readObservation",
    search: "searchObservations",
    resource: "observation",
    found: "observations",
    patientOf: (resource) => (resource as Observation).subject,
  },
};

/** A resource as far as every type has it. */
export type AnyResource = Message & {
  readonly id?: string | undefined;
  readonly meta?: Meta | undefined;
  readonly etag: string;
};

/** The resource in a request or a response about one; undefined when there is none. */
export function resourceIn(type: ResourceType, message: Message): AnyResource | undefined {
  const fields = message as Message as unknown as Readonly<Record<string, AnyResource | undefined>>;
  return fields[resourceTypes[type].resource];
}

/** The same request about another resource. */
export function withResource(type: ResourceType, request: Message, resource: Message): Message {
  return { ...request, [resourceTypes[type].resource]: resource } as Message;
}

/** The same request to replace or delete, unless it names a version itself for this one alone. */
export function ofVersion(type: ResourceType, request: Message, etag: string): Message {
  const resource = resourceIn(type, request);
  if (resource)
    return resource.etag === "" ? withResource(type, request, { ...resource, etag } as Message) : request;
  return "etag" in request && request.etag === "" ? ({ ...request, etag } as Message) : request;
}

/** The resources in the response of a search, and how many fit in all. */
export function foundBy(
  type: ResourceType,
  response: Message,
): { readonly resources: readonly AnyResource[]; readonly total: number } {
  const fields = response as Message as unknown as Readonly<Record<string, readonly AnyResource[]>> & {
    readonly totalSize: bigint;
  };
  return { resources: fields[resourceTypes[type].found] ?? [], total: Number(fields.totalSize) };
}
