import type { DescMessage } from "@bufbuild/protobuf";
import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Observation, ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { type RelatedPerson, RelatedPersonSchema } from "#proto/patientindex/v1/related_person_pb.ts";
import { Prisma } from "../../../prisma/gen/client.ts";
import type { ResourceType } from "../changes/outbox.ts";

/** Where dependents of a type lie. */
export interface DependentTable<Resource> {
  readonly type: ResourceType;
  readonly schema: DescMessage;
  /** Table of the current versions. */
  readonly current: Prisma.Sql;
  readonly history: Prisma.Sql;
  /** The identifiers that may end while their value stays. */
  readonly identifiersOf: (resource: Resource) => readonly Identifier[];
}

export const relatedPersonTable: DependentTable<RelatedPerson> = {
  type: "RelatedPerson",
  schema: RelatedPersonSchema,
  current: Prisma.raw("related_person"),
  history: Prisma.raw("related_person_history"),
  identifiersOf: ({ identifier }) => identifier,
};

export const observationTable: DependentTable<Observation> = {
  type: "Observation",
  schema: ObservationSchema,
  current: Prisma.raw("observation"),
  history: Prisma.raw("observation_history"),
  identifiersOf: ({ identifier }) => identifier,
};
