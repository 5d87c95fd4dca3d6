import type { Message } from "@bufbuild/protobuf";
import type { Author } from "#proto/patientindex/v1/author_pb.ts";
import type { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import type { Identifier, Meta } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { RelatedPerson } from "#proto/patientindex/v1/related_person_pb.ts";
import type { MpiError } from "../errors/index.ts";
import type { IdentifierToken } from "../identifiers/index.ts";
import type { ChangesPage, FeedPlace, HistoryPage } from "../resources/index.ts";
import type { DependentId } from "./dependent-id.ts";

/** A resource that lies with one patient: a contact person, an observation. */
export interface Dependent extends Message {
  id?: string | undefined;
  meta?: Meta | undefined;
  etag: string;
}

/**
 * Where the dependents of one type are kept. A stored one has id, meta.versionId, meta.lastUpdated and etag set by
 * the store; what a given one says of these is ignored. Every write is whole or absent, and holds the lock of the
 * patient, so that those who write dependents of one patient follow each other.
 */
export interface DependentStore<Resource extends Dependent> {
  /**
   * Stores what `decide` makes of the patient's surroundings as version 1; undefined when there is no such patient.
   * What `decide` throws is thrown, and nothing is written. It may be asked again, so it must not have effects.
   * NumbersExhausted when the patient has had as many dependents as ids can tell apart.
   */
  create(
    patientId: bigint,
    now: Date,
    decide: (around: Surroundings) => Resource,
  ): Promise<Resource | undefined>;
  /**
   * Replaces the current version by what `decide` makes of it, under the conditions of create; undefined when there never was one.
   */
  change(id: DependentId, now: Date, decide: Decide<Resource>): Promise<StoredVersion<Resource> | undefined>;
  /**
   * Deletes the current version, readable or not, unless `refuse` throws for it, of which it is told id, versionId and etag
   * alone; one that is deleted stays as it is. Undefined when there never was one.
   */
  delete(
    id: DependentId,
    now: Date,
    refuse: (current: Resource) => void,
  ): Promise<StoredVersion<Resource> | undefined>;
  read(id: DependentId): Promise<StoredVersion<Resource> | undefined>;
  /** Whether there ever was such a one, readable or not, deleted or not. */
  exists(id: DependentId): Promise<boolean>;
  readVersion(id: DependentId, version: number): Promise<StoredVersion<Resource> | undefined>;
  /** Versions of one dependent; undefined when there never was such a one. */
  history(id: DependentId, page: HistoryPage): Promise<DependentHistory<Resource> | undefined>;
  /** Published changes of all dependents of the type; what is committed when it is called is published first. */
  changes(page: ChangesPage, now: Date): Promise<DependentChanges<Resource>>;
  /**
   * A page of the dependents of these patients that are not deleted, and how many there are in all; the others are not
   * opened. Where they are too large for a page there may be fewer on it.
   */
  pageOfPatients(patientIds: readonly bigint[], page: DependentPage): Promise<DependentsOnPage<Resource>>;
  /** The same of those that fit: all are opened, but never more than a page of them kept, nor read at once. */
  pageOfFitting(
    patientIds: readonly bigint[],
    page: DependentPage,
    fits: (found: FoundDependent<Resource>) => boolean,
  ): Promise<DependentsOnPage<Resource>>;
}

/** A part of the dependents of some patients, by the time of their last change; those of one time in the order of their ids. */
export interface DependentPage {
  readonly descending: boolean;
  /** How many there are before it. */
  readonly offset: number;
  readonly size: number;
}

export interface DependentsOnPage<Resource> {
  readonly found: FoundDependent<Resource>[];
  readonly total: number;
}

export interface FoundDependent<Resource> {
  readonly resource: Resource;
  /** Why it is known by id and version alone: it does not open (MPI-003). */
  readonly unreadable?: MpiError;
}

/** The patients that dependents are looked up by. */
export interface PatientDirectory {
  /** The identifiers of patients and of their linked groups, whose records are one person's, by id; of those who are there. */
  identifiersOfPersons(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, readonly Identifier[]>>;
  /** Whether there is such a patient, readable or not. */
  exists(id: bigint): Promise<boolean>;
  /** Ids of the patients that hold any of these identifiers, ascending. */
  holders(identifiers: readonly IdentifierToken[]): Promise<bigint[]>;
  /** Ids of the linked group that a patient is in, ascending; the patient alone when it is in none. */
  group(id: bigint): Promise<bigint[]>;
}

/** What lies with a patient, read under its lock, and what of its linked group is the same person's. */
export interface Surroundings {
  /** Identifiers of the patient, and of the others of its group. */
  readonly groupIdentifiers: readonly Identifier[];
  /** The patient's contact persons that are not deleted. */
  readonly relatedPersons: readonly RelatedPerson[];
  /** Contact persons of the other patients of its linked group. */
  readonly groupRelatedPersons: readonly RelatedPerson[];
}

export interface StoredVersion<Resource> {
  /** Where the version is a deletion it has id, meta.versionId, meta.lastUpdated and etag alone. */
  readonly resource: Resource;
  readonly deleted: boolean;
}

/** What the current version is replaced by; the surroundings are read when they are asked for, under the same lock. */
export type Decide<Resource> = (
  current: StoredVersion<Resource>,
  around: () => Promise<Surroundings>,
) => Resource | Promise<Resource>;

export interface DependentChange<Resource> extends FoundDependent<Resource> {
  readonly interaction: ChangeInteraction;
  /** Unset where it is not known. */
  readonly author?: Author;
  readonly publishedAt?: Date;
}

export interface DependentHistory<Resource> {
  readonly changes: DependentChange<Resource>[];
  readonly total: number;
  readonly hasMore: boolean;
}

export interface DependentChanges<Resource> extends DependentHistory<Resource> {
  /** Position of the last change of the page, or of the end of the feed when the page is empty. */
  readonly place: FeedPlace;
}

/** The patient has had as many dependents as ids can tell apart. */
export class NumbersExhausted extends Error {
  override readonly name = "NumbersExhausted";
}
