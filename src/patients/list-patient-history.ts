import { type ListRequest, listName, pageBehind, pageToken, parseVersionToken } from "../resources/index.ts";
import { parsePatientId, patientNotFound } from "./patient-id.ts";
import type { PatientIndex } from "./patient-index.ts";
import type { StoredChange } from "./ports.ts";
import { showPatient } from "./show-patient.ts";

/** A version as it is shown, and how it came about. */
export type PatientChange = Omit<StoredChange, "group">;

export interface PatientHistory {
  readonly changes: PatientChange[];
  readonly total: number;
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

/** Versions of one patient, newest first unless asked otherwise (MPI-072 when there is no such patient). */
export async function listPatientHistory(
  index: PatientIndex,
  id: string,
  request: ListRequest,
): Promise<PatientHistory> {
  const list = listName(`Patient/${id}/_history`, request);
  const after = parseVersionToken(list, request.pageToken);
  const found = await index.store.history(parsePatientId(id), pageBehind(after, request));
  if (!found) throw patientNotFound(id);
  const last = found.changes.at(-1)?.patient.meta?.versionId;
  return {
    changes: found.changes.map(changeOfPatient),
    total: found.total,
    nextPageToken: found.hasMore && last !== undefined ? pageToken(list, BigInt(last)) : "",
  };
}

export function changeOfPatient({ patient, group, ...change }: StoredChange): PatientChange {
  return { ...change, patient: showPatient({ patient, ...(group && { group }) }) };
}
