import type { Author } from "#proto/patientindex/v1/author_pb.ts";
import type { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import type { Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { Lease, OutboxPlace } from "../deliveries/ports.ts";
import type { MpiError } from "../errors/index.ts";
import type { IdentifierToken } from "../identifiers/index.ts";
import type { ChangesPage, FeedPlace, HistoryPage } from "../resources/index.ts";
import type { Comparison, SortOrder } from "../search/index.ts";
import type { DaySpan, InstantSpan } from "../time/fhir-date.ts";

/**
 * Where patients are kept. A stored patient has id, meta.versionId, meta.lastUpdated and etag set by the store;
 * what a given one says of these is ignored. Every write is whole or absent.
 */
export interface PatientStore {
  /** Stores a new patient as version 1; IdentifierTaken when another patient has one of its identifiers. */
  create(given: Patient, now: Date): Promise<Patient>;
  /**
   * Replaces `current` by `next` as the next version, or answers "stale" and writes nothing when `current` is not
   * the current version any more; IdentifierTaken as in create.
   */
  replace(
    current: Patient,
    next: Patient,
    now: Date,
    deliveries?: LaterDeliveries,
  ): Promise<Patient | "stale">;
  read(id: bigint): Promise<StoredPatient | undefined>;
  /** Patients in the order of the ids, as far as they fit on a page; those that are not there are left out. */
  readAll(ids: readonly bigint[]): Promise<PatientsOfPage>;
  /** Whether there is such a patient, readable or not. */
  exists(id: bigint): Promise<boolean>;
  /** `read` for a call that answers with the patient; where it can, it leaves the entry of the call in the audit trail itself. */
  readRecorded(id: bigint, now: Date): Promise<StoredPatient | undefined>;
  readVersion(id: bigint, version: number): Promise<StoredPatient | undefined>;
  /** Who made a version; undefined where that is not known. */
  authorOf(id: bigint, version: number): Promise<Author | undefined>;
  /** Versions of one patient; undefined when there is no such patient. */
  history(id: bigint, page: HistoryPage): Promise<HistoryResult | undefined>;
  /** Published changes of all patients; what is committed when it is called is published first. */
  changes(page: ChangesPage, now: Date): Promise<ChangesResult>;
  search(criteria: PatientCriteria, page: SearchPage): Promise<SearchResult>;
  /** Ids of the patients that hold any of these identifiers, ascending. */
  holders(identifiers: readonly IdentifierToken[]): Promise<bigint[]>;
  /** Ids of the linked group that a patient is in, ascending; the patient alone when it is in none. */
  group(id: bigint): Promise<bigint[]>;
}

/** Stores new patients many at a time. */
export interface PatientLoader {
  /**
   * Stores patients as version 1, all in one transaction, but for those who have an identifier of a patient that is
   * there already or of one before them in the list. What became of each stands in its place.
   */
  load(patients: readonly Patient[], now: Date): Promise<readonly LoadedRecord[]>;
}

/**
 * A new patient as it was stored, how many patients hold identifiers of one that was not, or why there is no room in
 * the database for what one says.
 */
export type LoadedRecord =
  | { readonly patient: Patient }
  | { readonly holders: number }
  | { readonly failure: unknown };

/** Patients whom the population register knows: those with an Estonian personal code of their own. */
export interface RegisteredPatients {
  count(): Promise<number>;
  /** Their ids above this one, ascending. */
  after(id: bigint, limit: number): Promise<bigint[]>;
}

/** Links that the population register makes. */
export interface Successions {
  /** Links the record of an old personal code below that of its successor; does nothing when that cannot be. */
  link(old: bigint, successor: bigint): Promise<void>;
}

/** Who is told of a write beside the change feed: noted in its transaction, delivered later (src/deliveries). */
export interface LaterDeliveries {
  /** The population register is told of new contact data. */
  readonly contactData: boolean;
}

/** Contact data that wait to be sent to the population register. */
export interface ContactDataQueue extends Lease {
  /** Those that may be sent now, the oldest first; or those of them behind a place. */
  due(now: Date, limit: number, behind?: OutboxPlace): Promise<WaitingContactData[]>;
  /** Whether contact data of the patient were changed again since: then those that wait for that say all. */
  isOvertaken(waiting: WaitingContactData): Promise<boolean>;
  /** Takes these out of the queue, and what waits of the patient from before. */
  sent(waiting: WaitingContactData): Promise<void>;
  /** Notes a failed try and when to try next. */
  failed(waiting: WaitingContactData, dueAt: Date): Promise<void>;
}

export interface WaitingContactData extends OutboxPlace {
  /** The version by which contact data were changed. */
  readonly version: number;
  /** How often it was tried in vain. */
  readonly attempts: number;
}

/** Several patients, as far as they can be read and have room. */
export interface PatientsOfPage {
  readonly patients: readonly StoredPatient[];
  /** Those that do not open. */
  readonly unreadable: readonly bigint[];
  /** Whether there was no room for all of them. */
  readonly isCut: boolean;
}

/** A version of a patient: its own content, and how it stands in its group when it is linked. */
export interface StoredPatient {
  /** Without links, and with its own identifiers alone. */
  readonly patient: Patient;
  readonly group?: PlaceInGroup;
}

/** How a linked patient stands in its group, as of the time of its version. */
export type PlaceInGroup =
  | { readonly role: "secondary"; readonly primaryId: bigint }
  | { readonly role: "primary"; readonly members: readonly GroupMember[] };

/** A patient of a group other than its primary. */
export interface GroupMember {
  readonly id: bigint;
  /** The patient that it was linked to: the primary of the group or another member. */
  readonly linkedTo: bigint;
  readonly linkedAt: Date;
  /** Its own. */
  readonly identifiers: readonly Identifier[];
  /** Its identifiers do not open (MPI-003), and are left out: a fault of the member, not of the primary. */
  readonly isUnreadable?: true;
}

/** Another patient has an identifier of the one to be written. */
export class IdentifierTaken extends Error {
  override readonly name = "IdentifierTaken";
}

export interface StoredChange extends StoredPatient {
  readonly interaction: ChangeInteraction;
  /** Unset where it is not known. */
  readonly author?: Author;
  readonly publishedAt?: Date;
  /** What keeps a version of the change feed from being shown; then the patient has id, meta and etag alone. */
  readonly unreadable?: MpiError;
}

export interface HistoryResult {
  readonly changes: StoredChange[];
  readonly total: number;
  readonly hasMore: boolean;
}

export interface ChangesResult {
  readonly changes: StoredChange[];
  readonly total: number;
  readonly hasMore: boolean;
  /** Position of the last change of the page, or of the end of the feed when the page is empty. */
  readonly place: FeedPlace;
}

/** What patients must fulfil, all of it. */
export interface PatientCriteria {
  readonly ids?: readonly bigint[];
  /** Of each list the patient must hold at least one. */
  readonly identifiers?: readonly (readonly IdentifierToken[])[];
  readonly active?: boolean;
  readonly deceased?: boolean;
  readonly birthDate?: readonly Comparison<DaySpan>[];
  readonly lastUpdated?: readonly Comparison<InstantSpan>[];
  /** The population register knows them: they hold an Estonian personal code, which only it brings. */
  readonly inRegister?: boolean;
}

export type SortKey = "_lastUpdated" | "birthdate" | "death-date";

export interface SearchPage {
  readonly sort: readonly SortOrder<SortKey>[];
  /** From 1. */
  readonly page: number;
  readonly size: number;
  /** How many matches there may be in all. */
  readonly maximum: number;
  /** Whether fewer are enough where so many would take too many bytes. */
  readonly mayEndEarly?: true;
}

export type SearchResult = FoundInStore | "too-many";

export interface FoundInStore {
  readonly patients: StoredPatient[];
  /** Those of the page whose identifiers do not open (MPI-003). */
  readonly unreadable: readonly bigint[];
  readonly total: number;
  /** Set where the page ended early: how many it holds. Pages of this size go on from there. */
  readonly endsAfter?: number;
}
