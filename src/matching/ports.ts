import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { MpiError } from "../errors/index.ts";
import type { Block, Sought } from "./blocking/match-blocks.ts";
import type { Grade } from "./comparison/grade.ts";

/** Patients by what is written beside them to be compared and found by. */
export interface MatchStore {
  /**
   * Of those who share most with the blocks, at most `limit`, those who may be the sought person, and these very patients.
   * They come in few slices however many they are, none of which is larger than a page.
   */
  candidates(sought: Sought, ids: readonly bigint[], limit: number): AsyncIterable<Records>;
  /** Ids of those who have a key of each list, ascending; at most `limit`. */
  holders(sought: SoughtKeys, limit: number): Promise<bigint[]>;
  /** Names that are stored under any of these variants. */
  forms(variants: readonly bigint[]): Promise<string[]>;
  /** The next patients behind an id, ascending by id; as many as fit on a page. */
  next(after: bigint, limit: number): Promise<Records>;
  /**
   * For each of these patients those behind it by id who share a narrow block or two others with it. Of a block that
   * more share than a person could have records it takes some.
   */
  sharing(
    subjects: readonly { readonly id: bigint; readonly blocks: readonly Block[] }[],
  ): Promise<CandidatePair[]>;
  /** Current records, of those that are there, in slices none of which is larger than a page. */
  records(ids: readonly bigint[]): AsyncIterable<Records>;
  /** Writes what of these patients' keys is missing. */
  writeKeys(patients: readonly Candidate[]): Promise<void>;
  count(): Promise<number>;
}

/** What a patient must have a key of: each of the lists, and `common`. */
export interface SoughtKeys {
  readonly lists: readonly (readonly bigint[])[];
  /** A list that so many are in, such as all patients of a country, that it is looked up only for those who fit all others. */
  readonly common: readonly bigint[] | undefined;
}

/** Records, each in the order in which they were asked for. */
export interface Records {
  readonly candidates: readonly Candidate[];
  /** Those that do not open (MPI-003), which does not keep anybody from the others. */
  readonly unreadable: readonly { readonly id: bigint; readonly cause: MpiError }[];
}

/** The current record of a patient, with its own content alone. */
export interface Candidate {
  readonly id: bigint;
  /** The primary of its group; its own id while it is alone. */
  readonly personId: bigint;
  readonly patient: Patient;
}

export interface CandidatePair {
  readonly id: bigint;
  readonly otherId: bigint;
}

/** What a steward decided on a pair. */
export type DuplicateState = "open" | "dismissed" | "confirmed";

/** A pair of patients who may be one person; `id` is the lower one. */
export interface PossibleDuplicate extends CandidatePair {
  readonly score: number;
  readonly grade: Grade;
  readonly state: DuplicateState;
  readonly foundAt: Date;
  readonly reviewedAt: Date | undefined;
}

export interface DuplicateStore {
  /**
   * Keeps pairs that a scan found unlinked, at `now` or later. What was decided on one stays, but that a pair that was
   * confirmed or linked before and is linked no longer is open again.
   */
  keep(
    found: readonly Pick<PossibleDuplicate, "id" | "otherId" | "score" | "grade">[],
    now: Date,
  ): Promise<void>;
  /** Removes open pairs that no scan has found since, and those that were linked before. */
  dropOlder(since: Date): Promise<void>;
  /**
   * The most likely first; at most one more than `limit`, behind the pair `after`. A link takes open pairs away from
   * list and count.
   */
  list(
    state: DuplicateState,
    after: DuplicatePosition | undefined,
    limit: number,
  ): Promise<PossibleDuplicate[]>;
  count(state: DuplicateState): Promise<number>;
  /** What has become of a pair, for `decide` alone; undefined when there is no such pair. */
  standing(pair: CandidatePair): Promise<string | undefined>;
  /** Notes a decision; undefined when the pair does not stand as it did, where that is told. */
  decide(
    pair: CandidatePair,
    state: DuplicateState,
    now: Date,
    standing?: string,
  ): Promise<PossibleDuplicate | undefined>;
}

export type DuplicatePosition = Pick<PossibleDuplicate, "score" | "id" | "otherId">;
