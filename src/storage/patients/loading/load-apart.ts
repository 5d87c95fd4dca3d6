import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { LoadedRecord } from "../../../patients/ports.ts";
import { DEADLOCK_DETECTED, sqlState, UNIQUE_VIOLATION } from "../../connection/sql-state.ts";

/** Loads some of many patients. */
export type LoadSome = (patients: readonly Patient[]) => Promise<LoadedRecord[]>;

/**
 * Loads all at once. When the database does not take what one of them says, or others are always quicker, they are
 * loaded in halves, and so on: then it is known of whom that is true, and the others are stored.
 */
export async function loadApart(patients: readonly Patient[], load: LoadSome): Promise<LoadedRecord[]> {
  if (patients.length === 0) return [];
  try {
    return await load(patients);
  } catch (failure) {
    if (!isOfContent(failure)) throw failure;
    if (patients.length === 1) return [{ failure }];
    const half = Math.ceil(patients.length / 2);
    return [
      ...(await loadApart(patients.slice(0, half), load)),
      ...(await loadApart(patients.slice(half), load)),
    ];
  }
}

/** Somebody else was quicker with an identifier. */
export function isOvertaken(cause: unknown): boolean {
  const state = sqlState(cause);
  return state === UNIQUE_VIOLATION || state === DEADLOCK_DETECTED;
}

/** Nothing was written, for what was to be written: data that do not fit (SQLSTATE class 22) or are too long (54). */
function isOfContent(cause: unknown): boolean {
  return isOvertaken(cause) || /^(?:22|54)/.test(sqlState(cause) ?? "") || cause instanceof RangeError;
}
