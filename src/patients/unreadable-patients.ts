import { noteLook } from "../call/current-call.ts";
import type { Fault } from "../errors/index.ts";
import { unreadableNotes } from "../search/index.ts";
import type { PatientsOfPage, StoredPatient } from "./ports.ts";

/** Whose identifiers a searcher is not shown, since they do not open: patients of the page, and members of their groups. */
export function unreadablePatients({
  patients,
  unreadable,
}: Pick<PatientsOfPage, "patients" | "unreadable">): bigint[] {
  return [...new Set([...unreadable, ...patients.flatMap(unreadableMembers)])];
}

/** Notes of patients who do not open. To name them is a look. */
export function unreadablePatientNotes(ids: Iterable<bigint>): Fault[] {
  const named = [...ids];
  for (const id of named) noteLook(id);
  return unreadableNotes("Patient", named.map(String));
}

function unreadableMembers({ group }: StoredPatient): bigint[] {
  if (group?.role !== "primary") return [];
  return group.members.filter(({ isUnreadable }) => isUnreadable).map(({ id }) => id);
}
