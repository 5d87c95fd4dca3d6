import type { DescMessage } from "@bufbuild/protobuf";
import type { Reference } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Fault, MpiError } from "../errors/index.ts";
import type { ReferenceParameter } from "../references/index.ts";
import type { Dependent, DependentStore, PatientDirectory, Surroundings } from "./ports.ts";

/** What the use cases of dependents of one type work with. */
export interface DependentIndex<Resource extends Dependent> {
  readonly kind: DependentKind<Resource>;
  readonly store: DependentStore<Resource>;
  readonly patients: PatientDirectory;
  readonly now: () => Date;
  /** Matches a search may have in all (MPI-027). */
  readonly searchMaximum: number;
}

/** What is particular to a type of dependents. */
export interface DependentKind<Resource extends Dependent> {
  readonly type: "RelatedPerson" | "Observation";
  readonly schema: DescMessage;
  /** The element that names the patient. */
  readonly patientElement: string;
  readonly patientOf: (given: Resource) => Reference | undefined;
  readonly withPatient: (given: Resource, patient: Reference) => Resource;
  readonly notFound: (id: string) => MpiError;
  readonly deleted: (id: string) => MpiError;
  /** Reads what the rules need beside what lies with the patient; after that they are asked under its lock. */
  readonly rulesFor: (given: Resource) => Promise<ContentRules<Resource>>;
  /** Names of the search parameters that name the patient. */
  readonly patientParameters: readonly ReferenceParameter[];
  readonly searchParameters: Readonly<Record<string, ContentParameter<Resource>>>;
}

/**
 * Holds a body to the rules of its type: `around` is what lies with its patient, undefined when there is no such
 * patient; `current` is the version to be replaced.
 */
export type ContentRules<Resource> = (
  around: Surroundings | undefined,
  current?: Resource,
) => {
  /** As it is to be stored, when there are no faults. */
  readonly resource: Resource;
  readonly faults: readonly Fault[];
};

/** A search parameter about the content of a resource. */
export interface ContentParameter<Resource> {
  /** Several comma-separated values, any of which fits. */
  readonly manyValues?: true;
  /** Which resources fit; undefined when a value is unsuitable. */
  readonly parse: (values: readonly string[]) => ((resource: Resource) => boolean) | undefined;
}
