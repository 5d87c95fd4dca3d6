import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { type Blinding, type IndexKeys, rememberingBlind } from "../../../../identifier-index/index.ts";
import { blocksOf, type PatientBlocks } from "../../../../matching/index.ts";
import { firstEntries } from "../../../audit/first-entries.ts";
import { type EntryOfAll, sealContent } from "../../../audit/sealed-entry.ts";
import type { Statement } from "../../../connection/named-statements.ts";
import { sealAuthor } from "../../../sealing/authors.ts";
import { sealPatient } from "../../reading/stored-patient.ts";
import { type IdentifierRow, identifierRows } from "../../writing/identifier-rows.ts";
import {
  identifierStatement,
  type NewPatient,
  newPatientStatements,
  takenStatement,
} from "../../writing/new-patient-rows.ts";
import { searchColumnsOf } from "../../writing/search-columns.ts";

/** The identifiers of new patients, without what they are. */
export interface GivenIdentifiers {
  /** Of each patient its rows of the blind index, as numbers: the same identifier has the same number. */
  readonly numbers: readonly (readonly number[])[];
  /** Asks which of all these rows, in this order, are there. */
  readonly taken: Statement;
}

/** What patients are written with. */
export interface WrittenWith {
  readonly now: Date;
  /** Who writes them; undefined where that is not known. */
  readonly author: Uint8Array | undefined;
  /** What the audit trail says of each; undefined where there is none. */
  readonly entry: EntryOfAll | undefined;
}

/** One of the patients, by its place among them, with the id that it gets. */
export interface Added {
  readonly place: number;
  readonly id: bigint;
}

/** Turns new patients into the rows that they are stored as. Nothing here waits for anything, or knows of any call. */
export class PatientRows {
  readonly #keys: IndexKeys;
  readonly #patients: readonly Patient[];
  readonly #blindings: readonly Blinding[];
  readonly #identifiers: readonly IdentifierRow[][];
  #blocks: readonly PatientBlocks[] = [];

  constructor(keys: IndexKeys, patients: readonly Patient[]) {
    this.#keys = keys;
    this.#patients = patients;
    this.#blindings = patients.map(() => rememberingBlind());
    this.#identifiers = patients.map(({ identifier }, place) =>
      identifierRows(keys, identifier, this.#blindings[place]),
    );
  }

  givenIdentifiers(): GivenIdentifiers {
    const numberOf = numbering();
    return {
      numbers: this.#identifiers.map((rows) => rows.map(numberOf)),
      taken: takenStatement(this.#identifiers.flat()),
    };
  }

  /** Makes the keys for matching; answers with the names that must be known with their variants. */
  makeBlocks(): string[] {
    this.#blocks = this.#patients.map(blocksOf);
    return [...new Set(this.#blocks.flatMap(({ forms }) => forms))];
  }

  /** Writes whose the identifiers of patients are. */
  identifiers(added: readonly Added[]): Statement {
    return identifierStatement(
      added.map(({ place, id }) => ({ id, identifiers: this.#identifiers[place] ?? [] })),
    );
  }

  /** Writes all else of patients, whose keys for matching are made. */
  patients(added: readonly Added[], { now, author, entry }: WrittenWith): Statement[] {
    const statements = newPatientStatements(
      added.map((one) => this.#newPatient(one, author)),
      now,
    );
    if (!entry) return statements;
    const entries = added.map(({ id }) =>
      sealContent(entry.key, { streamId: id, recordedAt: now, patientId: id }, entry.content),
    );
    return [...statements, firstEntries(entries)];
  }

  #newPatient({ place, id }: Added, author: Uint8Array | undefined): NewPatient {
    const patient = this.#patients[place];
    const blocks = this.#blocks[place];
    if (!patient || !blocks) throw new TypeError(`Nothing is known of a patient at place ${place}.`);
    const blinding = this.#blindings[place];
    const { document, added } = sealPatient(this.#keys, id, patient, NOTHING_KNOWN, 1, blinding);
    return {
      id,
      document,
      values: added,
      columns: searchColumnsOf(patient),
      blockKeys: blocks.keys,
      author: sealAuthor(this.#keys, id, author),
    };
  }
}

const NOTHING_KNOWN: ReadonlyMap<string, number> = new Map();

/** A row that has its number. */
interface Numbered {
  readonly row: IdentifierRow;
  readonly number: number;
}

/**
 * Numbers rows of the blind index, the same one each time with the same number. They are found by the start of their hash
 * and their system: a text of the whole hash would be new to V8's table of texts each time.
 */
function numbering(): (row: IdentifierRow) => number {
  const known = new Map<number, Map<string, Numbered[]>>();
  let numbers = 0;
  return (row) => {
    const alike = alikeIn(known, row);
    const before = alike.find((one) => Buffer.compare(one.row.valueHmac, row.valueHmac) === 0);
    if (before) return before.number;
    alike.push({ row, number: numbers });
    return numbers++;
  };
}

function alikeIn(known: Map<number, Map<string, Numbered[]>>, row: IdentifierRow): Numbered[] {
  const { valueHmac, country, type } = row;
  const start = new DataView(valueHmac.buffer, valueHmac.byteOffset).getUint32(0);
  const system = `${country} ${type}`;
  const bySystem = known.get(start) ?? new Map<string, Numbered[]>();
  known.set(start, bySystem);
  const alike = bySystem.get(system) ?? [];
  bySystem.set(system, alike);
  return alike;
}
