import type { MpiError } from "../errors/index.ts";

/** The way from one key to the next (src/identifier-index/key-states.ts), and how far on it the database is. */
export interface Rotation {
  /** Key ids. */
  readonly from: string;
  readonly to: string;
  /**
   * joining: all processes get to know the new key; filling: everything is sealed anew under it; leaving: what is left
   * of the old one is deleted.
   */
  readonly phase: "joining" | "filling" | "leaving";
}

/** How many rows there are under which key. */
export interface RotationSize {
  /** Sealed values, authors and keys of audit entries: in all and under the new key. */
  readonly sealed: number;
  readonly moved: number;
  /** Rows of the blind index under the old key, the new one, and any other, which there must not be. */
  readonly oldRows: number;
  readonly newRows: number;
  readonly strangeRows: number;
  /** Answers of registers under the old key. */
  readonly answers: number;
}

/** What became of some patients. */
export interface Moved {
  readonly lastPatient: bigint;
  /** Rows that were sealed anew. */
  readonly rows: number;
  /** One for each row that does not open: it stays as it is. */
  readonly unreadable: readonly MpiError[];
}

/** Keys of the index on their way. Every step may be repeated, and taken by two at once. */
export interface KeyRotations {
  underWay(): Promise<Rotation | undefined>;
  /** Lets the secondary key of the provider join; undefined when it has none. */
  begin(): Promise<Rotation | undefined>;
  /** How many live processes do not act on the states yet that the database has. */
  unready(): Promise<number>;
  /** Names of the transactions that are open in the database, each of its own. */
  openTransactions(): Promise<readonly string[]>;
  /** To the next phase; undefined behind the last one, when the old key is retired. */
  advance(rotation: Rotation): Promise<Rotation | undefined>;
  size(rotation: Rotation): Promise<RotationSize>;
  /**
   * Seals what patients hold under the new key, and gives their identifiers rows of the blind index under it, each
   * patient under its lock: the next patients after one, undefined when there are none.
   */
  moveAfter(rotation: Rotation, patientId: bigint, limit: number): Promise<Moved | undefined>;
  /** Seals what lies with no patient under the new key: the keys of audit entries. */
  moveShared(rotation: Rotation): Promise<Omit<Moved, "lastPatient">>;
  /** Deletes the rows of the blind index under the old key in one of so many equal parts of it. */
  deleteOldRows(rotation: Rotation, part: number, parts: number): Promise<void>;
  deleteOldAnswers(rotation: Rotation): Promise<void>;
}

/** Patients whose rows were looked at. */
export interface ExaminedPatients {
  readonly lastPatient: bigint;
  readonly patients: number;
  /** Those with whom something seems wrong. They may have been written meanwhile: only a look under the lock tells. */
  readonly suspects: readonly bigint[];
}

/** A row of the blind index, by its key. */
export interface BlindRow {
  readonly valueHmac: Uint8Array<ArrayBuffer>;
  readonly country: string;
  readonly type: string;
  readonly patientId: bigint;
}

/** Looks whether sealed rows open, and whether they and the blind index say the same. */
export interface IndexExamination {
  /** How many patients there are, and how many rows of the blind index. */
  size(): Promise<{ readonly patients: number; readonly rows: number }>;
  /** The next patients after one, undefined when there are none. */
  patientsAfter(patientId: bigint, limit: number): Promise<ExaminedPatients | undefined>;
  /** What is wrong with a patient, seen under its lock. */
  examinePatient(patientId: bigint): Promise<MpiError[]>;
  /** What does not open and lies with no patient. */
  examineShared(): Promise<MpiError[]>;
  /** The rows of one of so many equal parts of the blind index that seem to stand for nothing that a patient has. */
  strayRows(part: number, parts: number): Promise<BlindRow[]>;
  /** What is wrong with such a row, seen under the lock of its patient. */
  examineRow(row: BlindRow): Promise<MpiError[]>;
}
