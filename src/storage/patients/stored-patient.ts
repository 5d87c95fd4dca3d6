import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { MetaSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import type { IndexKeys } from "../../identifier-index/index.ts";
import {
  type KnownValues,
  knownValues,
  type SealedDocument,
  sealDocument,
  unsealDocument,
} from "../sealed-document.ts";
import { type SealedColumns, storedValues } from "../sealed-rows.ts";

/** A version of a patient as the tables give it. */
export interface PatientRow extends SealedColumns {
  readonly id: bigint;
  readonly version: number;
  readonly updatedAt: Date;
  /** Primary of the group, which can be the patient itself; null while it is alone. */
  readonly rootId: bigint | null;
  readonly document: Uint8Array;
}

/** The patient of a row, identifier values opened, what the store itself sets put in. */
export function patientOf(keys: IndexKeys, row: PatientRow): Patient {
  const holder = { patientId: row.id, owner: row.id };
  return stamped(unsealDocument(keys, PatientSchema, row.document, holder, storedValues(row)), row);
}

/** Sets on a patient, in place, what the store gives to each version. */
export function stamped(patient: Patient, row: Pick<PatientRow, "id" | "version" | "updatedAt">): Patient {
  patient.id = String(row.id);
  patient.meta ??= create(MetaSchema);
  patient.meta.versionId = String(row.version);
  patient.meta.lastUpdated = timestampFromDate(row.updatedAt);
  patient.etag = `W/"${row.version}"`;
  return patient;
}

/** What of a patient goes into its document: everything but what the store sets itself and what links show. */
export function sealPatient(
  keys: IndexKeys,
  id: bigint,
  patient: Patient,
  known: KnownValues,
  firstFree: number,
): SealedDocument {
  return sealDocument(
    keys.primary,
    PatientSchema,
    contentOf(patient),
    { patientId: id, owner: id },
    known,
    firstFree,
  );
}

export function knownValuesOf(document: Uint8Array, opened: Patient): KnownValues {
  return knownValues(PatientSchema, document, opened);
}

export function versionOf(patient: Patient): number {
  return Number(patient.meta?.versionId);
}

export function updatedAtOf(patient: Patient): Date {
  return patient.meta?.lastUpdated ? timestampDate(patient.meta.lastUpdated) : new Date(0);
}

function contentOf(patient: Patient): Patient {
  const content: Patient = { ...patient, link: [], etag: "" };
  delete content.id;
  if (patient.meta) {
    content.meta = { ...patient.meta };
    delete content.meta.versionId;
    delete content.meta.lastUpdated;
  }
  return content;
}
