import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import type { Blinding, IndexKeys } from "../../../identifier-index/index.ts";
import type { AuthorColumns } from "../../sealing/authors.ts";
import {
  type KnownValues,
  knownValues,
  type SealedDocument,
  sealDocument,
  unsealDocument,
} from "../../sealing/sealed-document.ts";
import { type SealedColumn, storedValues } from "../../sealing/sealed-rows.ts";
import { stamped, unstamped } from "../../versions/versioned.ts";

/** A version of a patient as the tables give it. */
export interface PatientRow extends SealedColumn {
  readonly id: bigint;
  readonly version: number;
  readonly updatedAt: Date;
  /** Primary of the group, which can be the patient itself; null while it is alone. */
  readonly rootId: bigint | null;
  readonly document: Uint8Array;
}

/** A row of the history, with who made the version. */
export interface PatientVersionRow extends PatientRow, AuthorColumns {}

/** The documents of patients who were read to be replaced. */
const documents = new WeakMap<Patient, Uint8Array>();

/** Keeps with a patient what it was opened from, for `documentOf`: what nobody asks for would be a burden to the collector. */
export function keepDocument(patient: Patient, { document }: PatientRow): void {
  documents.set(patient, document);
}

/** The document that was kept with this very message. */
export function documentOf(patient: Patient): Uint8Array | undefined {
  return documents.get(patient);
}

/** The patient of a row, identifier values opened, what the store itself sets put in. */
export function patientOf(keys: IndexKeys, row: PatientRow): Patient {
  const holder = { patientId: row.id, owner: row.id };
  return stamped(unsealDocument(keys, PatientSchema, row.document, holder, storedValues(row)), row);
}

/** What of a patient goes into its document: everything but what the store sets itself and what links show. */
export function sealPatient(
  keys: IndexKeys,
  id: bigint,
  patient: Patient,
  known: KnownValues,
  firstFree: number,
  blinding?: Blinding,
): SealedDocument {
  return sealDocument(
    keys.primary,
    PatientSchema,
    unstamped({ ...patient, link: [] }),
    { patientId: id, owner: id },
    known,
    firstFree,
    blinding,
  );
}

export function knownValuesOf(document: Uint8Array, opened: Patient): KnownValues {
  return knownValues(PatientSchema, document, opened);
}

export function versionOf(patient: Patient): number {
  return Number(patient.meta?.versionId);
}
