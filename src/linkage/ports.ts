import type { Lease, OutboxPlace } from "../deliveries/ports.ts";
import type { StoredPatient } from "../patients/ports.ts";
import type { LinkageNotification } from "../registers/ports.ts";

/** Two patients by their ids: of a link the secondary and the primary to be, of an unlinking in either order. */
export interface PatientPair {
  readonly source: bigint;
  readonly target: bigint;
}

/** Where links are kept. Every write is whole or absent, whoever else links at the same time. */
export interface LinkStore {
  /** Which of these ids are patients. */
  known(ids: readonly bigint[]): Promise<ReadonlySet<bigint>>;
  /**
   * Links the source below the target, when `decide` lets it: it sees both as they are under their locks, and may
   * throw. `telling` says when the notification of the link leaves. Answers with the target as it then is; when that
   * does not open (MPI-003) nothing is written.
   */
  link(
    pair: PatientPair,
    decide: (pair: LockedPair) => LinkDecision,
    now: Date,
    telling: Telling,
  ): Promise<StoredPatient>;
  /** Releases one of the two, as `decide` says, with all that is linked below it. Answers with it in the same way. */
  unlink(
    pair: PatientPair,
    decide: (pair: LockedPair) => UnlinkDecision,
    now: Date,
    telling: Telling,
  ): Promise<StoredPatient>;
  /** The group of a patient at an instant, now when it is not given; undefined when there was no such patient. */
  group(patientId: bigint, at: Date | undefined): Promise<LinkTree | undefined>;
}

export interface LockedPair {
  readonly source: LockedPatient;
  readonly target: LockedPatient;
}

/** A patient as the rules of linking see it. */
export interface LockedPatient {
  readonly id: bigint;
  /** The primary of its group; itself when it is one, or is alone. */
  readonly rootId: bigint;
  /** Its link to another patient; undefined for a primary and for one who is alone. */
  readonly link: LockedLink | undefined;
  /** undefined when the record does not say. */
  readonly active: boolean | undefined;
  /** The systems of its own identifiers. */
  readonly systems: readonly string[];
}

export interface LockedLink {
  readonly primaryId: bigint;
  /** Whether the link has made the patient inactive. */
  readonly deactivated: boolean;
}

export interface LinkDecision {
  /** Whether the source becomes inactive. */
  readonly deactivate: boolean;
}

export interface UnlinkDecision {
  /** The lower of the two. */
  readonly released: bigint;
  /** Whether it becomes active. */
  readonly activate: boolean;
}

/** A group: its primary and the links below it. */
export interface LinkTree {
  readonly primaryId: bigint;
  /** By secondary, ascending. */
  readonly links: readonly PatientLink[];
}

export interface PatientLink {
  readonly secondaryId: bigint;
  readonly primaryId: bigint;
  readonly linkedAt: Date;
}

/**
 * When a notification leaves: with "outbox" it is stored with the write and delivered later; else it is told as the
 * last step before the commit, and taken back when the commit fails.
 */
export type Telling = "outbox" | LinkageTeller;

export interface LinkageTeller {
  /** Throws to refuse the write. */
  tell(notification: LinkageNotification): Promise<void>;
  /** Does not throw. */
  takeBack(notificationId: string): Promise<void>;
}

/** Notifications that wait for delivery. */
export interface NotificationQueue extends Lease {
  /**
   * The oldest that wait, or the oldest behind a place, in the order in which they were stored; of one patient never a
   * later without an earlier, unless that is stored before the place.
   */
  waiting(limit: number, behind?: OutboxPlace): Promise<WaitingNotification[]>;
  /** How many wait up to a place, the one there included. */
  waitingUpTo(place: OutboxPlace): Promise<number>;
  delivered(waiting: WaitingNotification): Promise<void>;
  /** Notes a failed try and when to try next. */
  failed(waiting: WaitingNotification, dueAt: Date): Promise<void>;
}

export interface WaitingNotification {
  readonly notification: LinkageNotification;
  readonly place: OutboxPlace;
  /** The version that the patient was given by the link or its end; 0 in notifications from before versions were noted. */
  readonly version: number;
  /** How often it was tried in vain. */
  readonly attempts: number;
  readonly dueAt: Date | undefined;
}
